import type { SamlSignInSettings } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { useReplacingAction } from '../../workspace/as-code/replacing-action.ts'
import { invalidate } from '../../data/api.ts'
import { OptionalValue } from '../../page/query-error.tsx'
import { Button } from '../../ui/button.tsx'
import { confirmAction } from '../../ui/confirm.tsx'
import { Strong } from '../../ui/text.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { signInSettingsQuery } from './queries.ts'

type Props = { silo: string; provider: string }

/** Shows whether sign-ins may begin at the identity provider, and a button to change that. */
export function BegunBy({ silo, provider }: Props) {
  const settings = useQuery(signInSettingsQuery(silo, provider))
  const update = useReplacingAction('samlSignInSettingsUpdate', ({ idpInitiated }) => {
    void invalidate('samlSignInSettingsView')
    addToast(
      idpInitiated
        ? 'Sign-ins may begin at the identity provider'
        : 'Sign-ins begin on the sign-in page only',
    )
  })
  const change = (shown: SamlSignInSettings, idpInitiated: boolean) =>
    confirmAction({
      title: idpInitiated ? 'Allow sign-ins that the provider begins' : 'Require the sign-in page',
      body: idpInitiated ? (
        <>
          <p>
            Users of <Strong>{provider}</Strong> can then open the console from the list of
            applications of the provider.
          </p>
          <p className="mt-2">
            Such responses are unsolicited. A malicious page can therefore submit one issued to its
            author, and sign a visitor in as the author. Allow it only if your users need it.
          </p>
        </>
      ) : (
        <>
          The console then refuses users who come from the list of applications of{' '}
          <Strong>{provider}</Strong>, and tells them to begin on the sign-in page.
        </>
      ),
      errorTitle: 'Could not change where sign-ins begin',
      danger: idpInitiated,
      ...update(
        { path: { provider }, query: { silo }, body: { idpInitiated } },
        { shown, read: signInSettingsQuery(silo, provider) },
      ),
    })
  return (
    <OptionalValue by={settings}>
      {(shown) => (
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span>
            {shown.idpInitiated ? 'On the sign-in page or at the provider' : 'On the sign-in page'}
          </span>
          <Button
            size="sm"
            variant="secondary"
            calls="samlSignInSettingsUpdate"
            onClick={() => change(shown, !shown.idpInitiated)}
          >
            Change
          </Button>
        </span>
      )}
    </OptionalValue>
  )
}

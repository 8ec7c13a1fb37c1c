import { counted } from '@steading/api/rules'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { invalidate } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { Button } from '../../ui/button.tsx'
import { confirmAction } from '../../ui/confirm.tsx'
import { Strong } from '../../ui/text.tsx'
import { addToast } from '../../ui/toasts.tsx'

type Props = { provider: { id: string; name: string }; protocol: 'saml' | 'oidc' }

/** A button that links the users without a provider to this one. */
export function AdoptUsers({ provider: { id, name }, protocol }: Props) {
  const isOffered = useCapability('userIdentities')
  const adopt = useApiAction('identityProviderAdoptUsers', {
    onSuccess: ({ count }) => {
      void invalidate('userIdentityList')
      addToast(count === 0 ? 'No user is without a provider' : `${counted(count, 'user')} linked`)
    },
  })
  if (!isOffered) return null
  const calls = {
    operation: 'identityProviderAdoptUsers',
    about: [`${protocol}_identity_provider`, 'silo_user'],
  }
  return (
    <div>
      <Button
        calls={calls}
        onClick={() =>
          confirmAction({
            title: 'Take over users',
            body: (
              <>
                Users of this silo who have no identity provider, or only deleted ones, sign in
                through <Strong>{name}</Strong> from now on: whoever has the name of such a user
                there becomes that user. Names that several of them have are left out.
              </>
            ),
            errorTitle: 'Could not take over users',
            ...adopt({ path: { providerId: id } }),
            calls,
          })
        }
      >
        Take over users without a provider
      </Button>
    </div>
  )
}

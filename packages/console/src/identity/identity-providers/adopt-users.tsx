import { counted } from '@steading/api/rules'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { useCapability } from '../../data/capabilities.ts'
import { Button } from '../../ui/button.tsx'
import { confirmAction } from '../../ui/confirm.tsx'
import { Strong } from '../../ui/text.tsx'
import { addToast } from '../../ui/toasts.tsx'

type Props = { provider: { id: string; name: string }; protocol: 'saml' | 'oidc' }

/** A button that links all users without a provider to a provider. */
export function AdoptUsers({ provider: { id, name }, protocol }: Props) {
  const isOffered = useCapability('userIdentities')
  const adopt = useApiAction('identityProviderAdoptUsers', {
    onSuccess: ({ count }) => {
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
                Users of this silo without an identity provider, or with deleted providers only, are
                linked to <Strong>{name}</Strong> by name: a person whom it signs in under the name
                of such a user becomes that user. Users with the same name are left out.
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

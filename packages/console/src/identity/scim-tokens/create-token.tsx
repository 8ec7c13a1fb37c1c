import { asCode } from '../../workspace/as-code/as-code.tsx'
import { call } from '../../workspace/as-code/steps.ts'
import { useApiMutation } from '../../data/api.ts'
import { Banner } from '../../ui/banner.tsx'
import { useCodeView } from '../../ui/code-view.tsx'
import { Modal, ModalFooter } from '../../ui/modal.tsx'
import { SecretModal } from '../../ui/secret-modal.tsx'
import { errorToast } from '../../ui/toasts.tsx'

type Props = { silo: string; onDismiss: () => void }

/** Asks before creating a token, and shows it once. */
export function CreateToken({ silo, onDismiss }: Props) {
  const args = { query: { silo } }
  const create = useApiMutation('scimTokenCreate', {
    onError: ({ message }) => errorToast('Failed to create token', message),
  })
  const codeView = useCodeView(() => asCode(call('scimTokenCreate', args)))
  if (create.data) {
    return (
      <SecretModal
        title="SCIM token created"
        notice="You won’t see this token again. Copy it to your identity provider now."
        secrets={[{ label: 'Bearer Token', text: create.data.bearerToken }]}
        onDismiss={onDismiss}
      />
    )
  }
  return (
    <Modal
      title="Create SCIM token"
      onDismiss={onDismiss}
      width={codeView.open ? 'wide' : undefined}
      above={codeView.view}
      footer={
        <ModalFooter
          onDismiss={onDismiss}
          actionText="Create"
          sends
          calls="scimTokenCreate"
          loading={create.isPending}
          onAction={() => create.mutate(args)}
        >
          {codeView.toggle}
        </ModalFooter>
      }
    >
      <Banner variant="notice">
        Anyone who has the token can manage the users and groups of this silo, and so the roles that
        groups give. Keep it as safe as a password.
      </Banner>
    </Modal>
  )
}

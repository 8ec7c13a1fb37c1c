import { asCode } from '../../workspace/as-code/as-code.tsx'
import { call } from '../../workspace/as-code/steps.ts'
import { invalidate, useApiMutation } from '../../data/api.ts'
import { Banner } from '../../ui/banner.tsx'
import { useCodeView } from '../../ui/code-view.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Modal, ModalFooter } from '../../ui/modal.tsx'
import { Mono } from '../../ui/text.tsx'
import { errorToast } from '../../ui/toasts.tsx'

type Props = { silo: string; onDismiss: () => void }

/** Asks before creating a token, and shows it once. */
export function CreateToken({ silo, onDismiss }: Props) {
  const args = { query: { silo } }
  const create = useApiMutation('scimTokenCreate', {
    onSuccess: () => void invalidate('scimTokenList'),
    onError: ({ message }) => errorToast('Failed to create token', message),
  })
  const codeView = useCodeView(() => asCode(call('scimTokenCreate', args)))
  if (create.data) return <CreatedToken token={create.data.bearerToken} onDismiss={onDismiss} />
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

function CreatedToken({ token, onDismiss }: { token: string; onDismiss: () => void }) {
  return (
    <Modal
      title="SCIM token created"
      width="free"
      onDismiss={onDismiss}
      footer={
        <ModalFooter
          onDismiss={onDismiss}
          actionText="Done"
          cancelText={false}
          onAction={onDismiss}
        />
      }
    >
      <div className="flex flex-col gap-4">
        <Banner>You won’t see this token again. Copy it to your identity provider now.</Banner>
        <dl className="flex flex-col gap-1">
          <dt className="font-medium text-primary">Bearer Token</dt>
          <dd className="flex min-w-0 items-center gap-1 rounded-control border bg-sunken px-2 py-1">
            <Mono className="min-w-0 flex-1 wrap-anywhere text-primary">{token}</Mono>
            <CopyButton text={token} />
          </dd>
        </dl>
      </div>
    </Modal>
  )
}

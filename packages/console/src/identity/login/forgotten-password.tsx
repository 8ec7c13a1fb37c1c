import { nameFieldProblem, userLinkValidMs } from '@steading/api/rules'
import { useForm } from 'react-hook-form'
import { useApiMutation } from '../../data/api.ts'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Modal, ModalFooter } from '../../ui/modal.tsx'
import { Strong } from '../../ui/text.tsx'

type Props = {
  silo: string
  /** The user name as typed so far. */
  username: string
  onDismiss: () => void
}

const VALID_MINUTES = userLinkValidMs.password / 60_000

/** Asks for a mail with a link. The answer does not tell whether the user exists. */
export default function ForgottenPassword({ silo, username, onDismiss }: Props) {
  const form = useForm({ defaultValues: { username } })
  const ask = useApiMutation('forgottenPassword', { expected: [429] })
  if (ask.isSuccess) {
    return (
      <Modal
        title="Check your mail"
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
        <p>
          If user <Strong>{form.getValues('username')}</Strong> has a confirmed mail address, a link
          to set a new password is on its way. It works for {VALID_MINUTES} minutes. Without such a
          mail, ask your administrator.
        </p>
      </Modal>
    )
  }
  return (
    <ModalForm
      form={form}
      title="Forgot your password?"
      submitLabel="Send a link"
      onSubmit={(body) => ask.mutate({ path: { siloName: silo }, body })}
      loading={ask.isPending}
      submitError={ask.error}
      onDismiss={onDismiss}
    >
      <p>We send a link to your mail address, with which you set a new password.</p>
      <TextField
        control={form.control}
        name="username"
        label="Username"
        required
        validate={(name: string) =>
          name ? nameFieldProblem(name, 'Username') : 'Username is required'
        }
      />
    </ModalForm>
  )
}

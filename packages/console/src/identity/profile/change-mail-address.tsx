import { notPresentPassword } from '@steading/api/rules'
import { useForm } from 'react-hook-form'
import { asCode } from '../../workspace/as-code/as-code.tsx'
import { call } from '../../workspace/as-code/steps.ts'
import { useApiMutation } from '../../data/api.ts'
import { PasswordField } from '../../forms/password-field.tsx'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { addressFieldProblem, addressOf } from '../users/mail-address.tsx'

type Props = {
  /** The present address. */
  address: string | null
  onDismiss: () => void
}

/** Changes the mail address of the signed-in user. */
export default function ChangeMailAddress({ address, onDismiss }: Props) {
  const form = useForm({ defaultValues: { address: address ?? '', currentPassword: '' } })
  const change = useApiMutation('currentUserMailAddressUpdate', {
    onSuccess: ({ mailAddress, confirmed }) => {
      addToast(
        mailAddress && !confirmed
          ? `A mail to ${mailAddress} asks to confirm it`
          : 'Mail address changed',
      )
      onDismiss()
    },
    onError: ({ message }) => {
      if (!message.endsWith(notPresentPassword)) return
      form.setError('currentPassword', { message: 'This is not your present password' })
      form.setFocus('currentPassword')
    },
  })
  const bodyOf = (values: { address: string; currentPassword: string }) => ({
    mailAddress: addressOf(values.address),
    currentPassword: values.currentPassword,
  })
  return (
    <ModalForm
      form={form}
      title="Mail address"
      submitLabel="Save"
      onSubmit={(values) => change.mutate({ body: bodyOf(values) })}
      loading={change.isPending}
      submitError={change.error}
      code={(values) =>
        asCode(
          call('currentUserMailAddressUpdate', {
            body: bodyOf({ ...values, currentPassword: '<current password>' }),
          }),
        )
      }
      onDismiss={onDismiss}
    >
      <TextField
        control={form.control}
        name="address"
        label="Mail address"
        validate={addressFieldProblem}
        description="For a forgotten password. A mail asks you to confirm it. Empty: no address."
      />
      <PasswordField
        form={form}
        name="currentPassword"
        label="Current password"
        autoComplete="current-password"
      />
    </ModalForm>
  )
}

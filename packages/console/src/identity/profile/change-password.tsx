import { notPresentPassword } from '@steading/api/rules'
import { useForm } from 'react-hook-form'
import { asCode } from '../../workspace/as-code/as-code.tsx'
import { call } from '../../workspace/as-code/steps.ts'
import { useApiMutation } from '../../data/api.ts'
import { useCurrentUser } from '../../data/session.ts'
import { PasswordField, showCommonPasswordError } from '../../forms/password-field.tsx'
import { CheckboxField } from '../../ui/form/choice-fields.tsx'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import { addToast } from '../../ui/toasts.tsx'

const noValues = { currentPassword: '', newPassword: '', endOtherSessions: true }

/** Placeholders for passwords in code. */
const placeholders = { currentPassword: '<current password>', newPassword: '<new password>' }

export function ChangePassword({ onDismiss }: { onDismiss: () => void }) {
  const form = useForm({ defaultValues: noValues })
  const { displayName } = useCurrentUser()
  const change = useApiMutation('currentUserPasswordUpdate', {
    onSuccess: () => {
      addToast('Password changed')
      onDismiss()
    },
    onError: (error) => {
      showCommonPasswordError(form, 'newPassword')(error)
      const { message } = error
      if (!message.endsWith(notPresentPassword)) return
      form.setError('currentPassword', { message: 'This is not your present password' })
      form.setFocus('currentPassword')
    },
  })
  return (
    <ModalForm
      form={form}
      title="Change password"
      submitLabel="Change password"
      onSubmit={(body) => change.mutate({ body })}
      loading={change.isPending}
      submitError={change.error}
      code={(body) =>
        asCode(call('currentUserPasswordUpdate', { body: { ...body, ...placeholders } }))
      }
      onDismiss={onDismiss}
    >
      <PasswordField
        form={form}
        name="currentPassword"
        label="Current password"
        autoComplete="current-password"
      />
      <PasswordField
        form={form}
        name="newPassword"
        label="New password"
        autoComplete="new-password"
        isNew
        user={displayName}
      />
      <CheckboxField
        control={form.control}
        name="endOtherSessions"
        description="Ends all your other sessions. Access tokens stay valid."
      >
        Sign out everywhere else
      </CheckboxField>
    </ModalForm>
  )
}

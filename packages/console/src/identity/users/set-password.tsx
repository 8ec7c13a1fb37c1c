import type { UserDetails } from '@steading/api/client'
import { useForm } from 'react-hook-form'
import { asCode } from '../../workspace/as-code/as-code.tsx'
import { call } from '../../workspace/as-code/steps.ts'
import { useApiMutation } from '../../data/api.ts'
import { showCommonPasswordError } from '../../forms/password-field.tsx'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import { Strong } from '../../ui/text.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { describedPassword, noPassword, PasswordFields, passwordOf } from './password-fields.tsx'

type Props = { silo: string; user: UserDetails; onDismiss: () => void }

export function SetPasswordModal({ silo, user, onDismiss }: Props) {
  const form = useForm({ defaultValues: noPassword })
  const args = { path: { userId: user.id }, query: { silo } }
  const set = useApiMutation('localIdpUserSetPassword', {
    onSuccess: () => {
      addToast({
        content: (
          <>
            Password of <Strong>{user.displayName}</Strong> set
          </>
        ),
      })
      onDismiss()
    },
    onError: showCommonPasswordError(form, 'password'),
  })
  return (
    <ModalForm
      form={form}
      title="Set password"
      submitLabel="Set password"
      calls="localIdpUserSetPassword"
      onSubmit={(values) => set.mutate({ ...args, body: passwordOf(values) })}
      loading={set.isPending}
      submitError={set.error}
      code={(values) =>
        asCode(call('localIdpUserSetPassword', { ...args, body: describedPassword(values) }))
      }
      onDismiss={onDismiss}
    >
      <p>
        <Strong>{user.displayName}</Strong> will be signed out everywhere. Access tokens stay valid
        unless you choose No login.
      </p>
      <PasswordFields form={form} user={user.displayName} />
    </ModalForm>
  )
}

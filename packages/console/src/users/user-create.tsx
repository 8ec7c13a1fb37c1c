import { nameFieldProblem } from '@steading/api/rules'
import { useNavigate } from '@tanstack/react-router'
import { useForm, useWatch } from 'react-hook-form'
import { asCode } from '../as-code/as-code.tsx'
import { call } from '../as-code/steps.ts'
import { invalidate, useApiMutation } from '../data/api.ts'
import { useCurrentUser } from '../data/session.ts'
import { NameField } from '../forms/name-fields.tsx'
import { tellCommon } from '../forms/password-field.tsx'
import { SideModalForm } from '../ui/form/side-modal-form.tsx'
import { Strong } from '../ui/text.tsx'
import { addToast } from '../ui/toasts.tsx'
import { describedPassword, noPassword, PasswordFields, passwordOf } from './password-fields.tsx'

type Props = { silo: string; onDismiss: () => void; onCreated: () => void }

/** Makes a user who signs in with a name and a password. */
export function UserCreateForm({ silo, onDismiss, onCreated }: Props) {
  const form = useForm({ defaultValues: { name: '', ...noPassword } })
  const name = useWatch({ control: form.control, name: 'name' })
  const query = { silo }
  const create = useApiMutation('localIdpUserCreate', {
    onSuccess: ({ displayName }) => {
      void invalidate('userDetailsList', 'userList')
      addToast({
        content: (
          <>
            User <Strong>{displayName}</Strong> created
          </>
        ),
      })
      onCreated()
    },
    onError: tellCommon(form, 'password'),
  })
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="user"
      calls="localIdpUserCreate"
      onSubmit={({ name, ...password }) =>
        create.mutate({ query, body: { externalId: name, password: passwordOf(password) } })
      }
      loading={create.isPending}
      submitError={create.error}
      code={({ name, ...password }) =>
        asCode(
          call('localIdpUserCreate', {
            query,
            body: { externalId: name, password: describedPassword(password) },
          }),
        )
      }
      onDismiss={onDismiss}
    >
      <NameField
        control={form.control}
        validate={(name) => nameFieldProblem(name, 'Name')}
        description="The user signs in with this name. It cannot be changed."
      />
      <PasswordFields form={form} user={name} />
    </SideModalForm>
  )
}

export function UserCreatePage() {
  const navigate = useNavigate()
  const { siloName } = useCurrentUser()
  const toList = () => void navigate({ to: '/users' })
  return <UserCreateForm silo={siloName} onDismiss={toList} onCreated={toList} />
}

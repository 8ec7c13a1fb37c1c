import type { User } from '@steading/api/client'
import { nameFieldProblem } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useForm, useWatch } from 'react-hook-form'
import { type Place, policyWith, type Role, usePolicyUpdate } from '../access/policies.ts'
import { policyQuery } from '../access/policy-query.ts'
import { roleItems } from '../access/role-fields.tsx'
import { asCode } from '../as-code/as-code.tsx'
import { call } from '../as-code/steps.ts'
import { invalidate, useApiMutation } from '../data/api.ts'
import { useCurrentUser } from '../data/session.ts'
import { NameField } from '../forms/name-fields.tsx'
import { tellCommon } from '../forms/password-field.tsx'
import { ListboxField } from '../ui/form/listbox-field.tsx'
import { SideModalForm } from '../ui/form/side-modal-form.tsx'
import { Strong } from '../ui/text.tsx'
import { addToast, errorToast } from '../ui/toasts.tsx'
import { describedPassword, noPassword, PasswordFields, passwordOf } from './password-fields.tsx'

type Props = {
  silo: string
  /** Where a role can be given at once. */
  place: Place
  onDismiss: () => void
  onCreated: () => void
}

const NO_ROLE = 'none'

const roleOptions = [
  { value: NO_ROLE, label: 'None' },
  ...roleItems('silo').map(({ value, label, description }) => ({
    value,
    label,
    content: (
      <span className="flex flex-col">
        {label}
        <span className="text-xs text-secondary">{description}</span>
      </span>
    ),
  })),
]

/** Makes a user who signs in with a name and a password, and may have a role from the start. */
export function UserCreateForm({ silo, place, onDismiss, onCreated }: Props) {
  const form = useForm({ defaultValues: { name: '', role: NO_ROLE, ...noPassword } })
  const name = useWatch({ control: form.control, name: 'name' })
  const policy = useQuery(policyQuery(place)).data
  const give = usePolicyUpdate(place)
  /** The user is there without the role as well, so the form closes. */
  const giveRole = ({ id, displayName }: User) => {
    const role = form.getValues('role')
    if (!policy || role === NO_ROLE) return
    const identity = { identityId: id, identityType: 'silo_user' as const }
    give.mutate(
      { from: policy, to: policyWith(policy, identity, role as Role) },
      {
        onError: ({ message }) => errorToast(`Could not give ${displayName} the role`, message),
      },
    )
  }
  const query = { silo }
  const create = useApiMutation('localIdpUserCreate', {
    onSuccess: (user) => {
      const { displayName } = user
      giveRole(user)
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
      onSubmit={({ name, role: _role, ...password }) =>
        create.mutate({ query, body: { externalId: name, password: passwordOf(password) } })
      }
      loading={create.isPending}
      submitError={create.error}
      code={({ name, role: _role, ...password }) =>
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
      {policy && (
        <ListboxField
          name="role"
          label="Role on the silo"
          description="Without a role, the user sees nothing until a project, the silo or a group gives one."
          control={form.control}
          options={roleOptions}
        />
      )}
    </SideModalForm>
  )
}

export function UserCreatePage() {
  const navigate = useNavigate()
  const { siloName } = useCurrentUser()
  const toList = () => void navigate({ to: '/users' })
  return (
    <UserCreateForm
      silo={siloName}
      place={{ level: 'silo' }}
      onDismiss={toList}
      onCreated={toList}
    />
  )
}

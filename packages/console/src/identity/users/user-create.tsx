import type { User } from '@steading/api/client'
import { nameFieldProblem } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import {
  type PolicyPlace,
  policyWith,
  replacement,
  type Role,
  usePolicyUpdate,
} from '../access/policies.ts'
import { policyQuery } from '../access/policy-query.ts'
import { NO_ROLE, optionalRoles } from '../access/role-fields.tsx'
import { asCode } from '../../workspace/as-code/as-code.tsx'
import { call, idOf, type Step } from '../../workspace/as-code/steps.ts'
import { useApiMutation, whenReread } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { choicesOf } from '../../data/reads.ts'
import { useCurrentUser } from '../../data/session.ts'
import { NameField } from '../../forms/name-fields.tsx'
import { showCommonPasswordError } from '../../forms/password-field.tsx'
import { ComboboxField } from '../../ui/form/combobox-field.tsx'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { Strong } from '../../ui/text.tsx'
import { addToast, errorToast } from '../../ui/toasts.tsx'
import { describedPassword, noPassword, PasswordFields, passwordOf } from './password-fields.tsx'
import { groupsQuery } from './queries.ts'

type Props = {
  silo: string
  /** Place of an initial role. */
  place: PolicyPlace
  onDismiss: () => void
  onCreated: () => void
}

const siloRoles = optionalRoles('silo')

type Values = { name: string; role: string; group: string } & typeof noPassword

/** Creates a user with a password, and optionally an initial role. */
export function UserCreateForm({ silo, place, onDismiss, onCreated }: Props) {
  const form = useForm<Values>({
    defaultValues: { name: '', role: NO_ROLE, group: '', ...noPassword },
  })
  const name = useWatch({ control: form.control, name: 'name' })
  const policy = useQuery(policyQuery(place)).data
  // Only groups of the user's own silo can be listed and changed.
  const hasGroups = useCapability('users') && place.level === 'silo' && !place.silo
  const [typed, setTyped] = useState('')
  const groups = useQuery({
    ...groupsQuery(useDeferredValue(typed.trim())),
    enabled: hasGroups,
    placeholderData: (before) => before,
  })
  const give = usePolicyUpdate(place)
  const join = useApiMutation('groupMembersUpdate', {
    onSuccess: whenReread,
  })
  const policyFor = (role: string, identityId: string) =>
    policy && role !== NO_ROLE
      ? policyWith(policy, { identityId, identityType: 'silo_user' as const }, role as Role)
      : undefined
  const membershipOf = (group: string, id: string) => ({
    path: { groupId: group },
    body: { add: [id], remove: [] },
  })
  /** The user exists even if the role or the group fails, so the form closes. */
  const giveAccess = ({ id, displayName }: User) => {
    const { role, group } = form.getValues()
    const to = policyFor(role, id)
    const failed =
      (what: string) =>
      ({ message }: { message: string }) =>
        errorToast(`Could not ${what}`, message)
    if (policy && to) {
      give.mutate({ from: policy, to }, { onError: failed(`give ${displayName} the role`) })
    }
    if (group) {
      join.mutate(membershipOf(group, id), {
        onError: failed(`add ${displayName} to the group`),
      })
    }
  }
  const query = { silo }
  const create = useApiMutation('localIdpUserCreate', {
    onSuccess: (user) => {
      const { displayName } = user
      giveAccess(user)
      addToast({
        content: (
          <>
            User <Strong>{displayName}</Strong> created
          </>
        ),
      })
      onCreated()
    },
    onError: showCommonPasswordError(form, 'password'),
  })
  const codeOf = ({ name, role, group, ...password }: Values): Step[] => {
    const to = policyFor(role, idOf('user'))
    const body = { externalId: name, password: describedPassword(password) }
    return [
      call('localIdpUserCreate', { query, body }, to || group ? { idAs: 'user' } : {}),
      ...(to ? [replacement(place, to)] : []),
      ...(group ? [call('groupMembersUpdate', membershipOf(group, idOf('user')))] : []),
    ]
  }
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="user"
      calls="localIdpUserCreate"
      onSubmit={({ name, role: _role, group: _group, ...password }) =>
        create.mutate({ query, body: { externalId: name, password: passwordOf(password) } })
      }
      loading={create.isPending}
      submitError={create.error}
      code={(values) => asCode(...codeOf(values))}
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
          options={siloRoles}
        />
      )}
      {(typed !== '' || !!groups.data?.items.length) && (
        <ComboboxField
          name="group"
          label="Group"
          required={false}
          control={form.control}
          onSearch={setTyped}
          {...choicesOf(groups, ({ id, displayName }) => ({ value: id, label: displayName }))}
          description="The user has the roles of the group as well. Add the user to more groups on the pages of those groups."
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

import { useDeferredValue, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { readingOf } from '../../data/reads.ts'
import { useCurrentUser } from '../../data/session.ts'
import { useEditForm } from '../../forms/use-edit-form.tsx'
import { confirmAction } from '../../ui/confirm.tsx'
import { ComboboxField } from '../../ui/form/combobox-field.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { Tag } from '../../ui/tag.tsx'
import { LastAdmin, RoleLosses } from './losses.tsx'
import { type NamedIdentity, useIdentitySearch } from './names.ts'
import {
  changeOf,
  type PolicyPlace,
  type Policy,
  policyUpdateOf,
  policyWith,
  replacement,
  replacementCode,
  type Role,
  rolesOf,
  usePolicyUpdate,
} from './policies.ts'
import { policyQuery } from './policy-query.ts'
import { openInvite, useCanInvite } from '../users/use-invite.tsx'
import { RoleFields, roleLabels } from './role-fields.tsx'
import { ReasonField } from '../../forms/reason-field.tsx'
import { Truncate } from '../../ui/text.tsx'

type FormProps = { place: PolicyPlace; policy: Policy; onDismiss: () => void; onDone?: () => void }

const optionOf = ({ id, name, type, service }: NamedIdentity) => ({
  value: `${type} ${id}`,
  label: name,
  content: (
    <span className="flex items-center gap-2">
      <Truncate text={name} />
      {type === 'silo_group' && <Tag>Group</Tag>}
      {service && <Tag>Service account</Tag>}
    </span>
  ),
})

function identityOf(value: string) {
  const [identityType, identityId] = value.split(' ') as [NamedIdentity['type'], string]
  return { identityType, identityId }
}

/** Assigns a role to a user or group that has none here yet. */
export function AddForm({ place, policy, onDismiss, onDone }: FormProps) {
  const form = useForm({ defaultValues: { who: '', role: 'viewer' as Role } })
  const [text, setText] = useState('')
  const { items, query, more } = useIdentitySearch(useDeferredValue(text), place)
  const has = new Set(policy.roleAssignments.map(({ identityId }) => identityId))
  const options = items?.filter(({ id }) => !has.has(id)).map(optionOf) ?? []
  const { mutate, isPending, error } = usePolicyUpdate(place, () => {
    onDismiss()
    onDone?.()
  })
  const silo = place.level === 'silo' ? place.silo : undefined
  const canInvite = useCanInvite(silo) && place.level !== 'fleet'
  const inviting = {
    label: `Invite “${text.trim()}”`,
    onAction() {
      onDismiss()
      openInvite(
        {
          ...(silo === undefined ? {} : { silo }),
          ...(place.level === 'project' ? { project: place.project } : {}),
        },
        text.trim(),
      )
    },
  }
  const next = ({ who, role }: { who: string; role: Role }) =>
    policyWith(policy, identityOf(who), role)
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="role assignment"
      title="Add user or group"
      submitLabel="Assign role"
      calls={policyUpdateOf(place)}
      loading={isPending}
      submitError={error}
      code={(values) => replacementCode(place, next(values))}
      onSubmit={(values) => mutate({ from: policy, to: next(values) })}
      onDismiss={onDismiss}
    >
      <ComboboxField
        name="who"
        control={form.control}
        label="User or group"
        options={options}
        onSearch={setText}
        {...readingOf(query)}
        empty={text ? 'Nobody has this name' : 'All users and groups have a role here'}
        whenEmpty={canInvite && text ? inviting : undefined}
        description={more ? 'There are more: type a part of the name.' : undefined}
      />
      <RoleFields level={place.level} control={form.control} name="role" />
      <ReasonField operation={policyUpdateOf(place)} />
    </SideModalForm>
  )
}

/** Empty if the role was removed meanwhile. */
type RoleValues = { role: Role | '' }

type EditProps = FormProps & { who: NamedIdentity; role: Role }

/** Changes the role of a user or group. */
export function EditForm({ place, policy, who, role, onDismiss, onDone }: EditProps) {
  const { id: userId } = useCurrentUser()
  const identity = { identityId: who.id, identityType: who.type }
  const next = (from: Policy, to: Role) => policyWith(from, identity, to)
  const { form, onSubmit, ...update } = useEditForm(policyUpdateOf(place), {
    resource: 'role',
    read: policyQuery(place),
    opened: policy,
    valuesOf: (read: Policy): RoleValues => ({ role: rolesOf(read).get(who.id)?.role ?? '' }),
    fields: { role: { label: 'Role', text: (held) => (held ? roleLabels[held] : 'none') } },
    argsOf: (values, from) => replacement(place, next(from, values.role as Role)).args as never,
    onSuccess: () => {
      onDismiss()
      onDone?.()
    },
  })
  const chosen = useWatch({ control: form.control, name: 'role' }) as Role
  const submit = (values: RoleValues) => {
    if (who.id !== userId || role !== 'admin' || values.role === 'admin') return onSubmit(values)
    const change = { from: policy, to: next(policy, values.role as Role) }
    confirmAction({
      title: 'Remove your own admin role',
      body: (
        <>
          <p>You may be unable to give it back to yourself: that takes another admin.</p>
          <RoleLosses
            change={changeOf(place, change.to)}
            otherwise={<LastAdmin place={place} change={change} />}
          />
        </>
      ),
      errorTitle: 'Could not update role',
      danger: true,
      // The form itself waits, and shows a refusal.
      action: async () => onSubmit(values),
    })
  }
  const to = next(policy, chosen)
  return (
    <SideModalForm
      form={form}
      formType="edit"
      subtitle={who.name}
      {...update}
      onSubmit={submit}
      onDismiss={onDismiss}
    >
      <RoleFields level={place.level} control={form.control} name="role" />
      {chosen !== role && (
        <RoleLosses
          change={changeOf(place, to)}
          otherwise={<LastAdmin place={place} change={{ from: policy, to }} />}
        />
      )}
      <ReasonField operation={policyUpdateOf(place)} />
    </SideModalForm>
  )
}

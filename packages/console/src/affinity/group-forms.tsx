import type { AffinityPolicy, AntiAffinityGroupUpdate } from '@steading/api/client'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Group } from 'lucide-react'
import { useForm } from 'react-hook-form'
import { useApiForm } from '../as-code/as-code.tsx'
import { invalidate, seed } from '../data/api.ts'
import { namedFields, namedValues, useEditForm } from '../forms/use-edit-form.tsx'
import { DescriptionField, NameField } from '../forms/name-fields.tsx'
import { RadioField } from '../ui/form/choice-fields.tsx'
import { SideModalForm } from '../ui/form/side-modal-form.tsx'
import { PropertiesTable } from '../ui/properties-table.tsx'
import { addToast } from '../ui/toasts.tsx'
import { policyHelp } from './policy.tsx'
import { groupQuery, useGroupParams } from './queries.ts'

const policies = [
  { value: 'allow', label: 'Allow' },
  { value: 'fail', label: 'Fail' },
]

const said = (name: string, done: string) =>
  addToast({
    content: (
      <>
        Anti-affinity group <b>{name}</b> {done}
      </>
    ),
  })

const initial = { name: '', description: '', policy: 'allow' as AffinityPolicy }

export function GroupCreateForm() {
  const navigate = useNavigate()
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const form = useForm({ defaultValues: initial })
  const argsOf = (body: typeof initial) => ({
    query: { project },
    body: { ...body, failureDomain: 'sled' as const },
  })
  const create = useApiForm('antiAffinityGroupCreate', argsOf, {
    onSuccess: (group) => {
      const path = { antiAffinityGroup: group.name }
      void invalidate('antiAffinityGroupList')
      seed('antiAffinityGroupView', { path, query: { project } }, group)
      said(group.name, 'created')
      void navigate({
        to: '/projects/$project/affinity/$antiAffinityGroup',
        params: { project, ...path },
      })
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="anti-affinity group"
      title="Add anti-affinity group"
      submitLabel="Add group"
      {...create}
      onDismiss={() => void navigate({ to: '/projects/$project/affinity', params: { project } })}
    >
      <NameField control={form.control} />
      <DescriptionField control={form.control} />
      <RadioField
        name="policy"
        description={policyHelp}
        control={form.control}
        items={policies}
        column
      />
    </SideModalForm>
  )
}

export function GroupEditForm() {
  const navigate = useNavigate()
  const params = useGroupParams()
  const { project, antiAffinityGroup } = params
  const leaveFor = (name: string) =>
    void navigate({
      to: '/projects/$project/affinity/$antiAffinityGroup',
      params: { project, antiAffinityGroup: name },
    })
  const argsOf = (body: AntiAffinityGroupUpdate) => ({
    path: { antiAffinityGroup },
    query: { project },
    body,
  })
  const {
    opened: group,
    form,
    ...update
  } = useEditForm('antiAffinityGroupUpdate', {
    resource: 'anti-affinity group',
    read: groupQuery(params),
    valuesOf: namedValues,
    fields: namedFields,
    argsOf,
    onSuccess: (updated) => {
      const path = { antiAffinityGroup: updated.name }
      void invalidate('antiAffinityGroupList', 'instanceAntiAffinityGroupList')
      seed('antiAffinityGroupView', { path, query: { project } }, updated)
      said(updated.name, 'updated')
      leaveFor(updated.name)
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="edit"
      submitLabel="Edit group"
      subtitle={
        <>
          <Group size={16} strokeWidth={1.5} aria-hidden />
          <span className="min-w-0 truncate">{group.name}</span>
        </>
      }
      {...update}
      onDismiss={() => leaveFor(antiAffinityGroup)}
    >
      <PropertiesTable>
        <PropertiesTable.IdRow id={group.id} />
        <PropertiesTable.DateRow date={group.timeCreated} label="Created" />
        <PropertiesTable.DateRow date={group.timeModified} label="Updated" />
      </PropertiesTable>
      <NameField control={form.control} />
      <DescriptionField control={form.control} />
    </SideModalForm>
  )
}

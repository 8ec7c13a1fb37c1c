import type { AffinityPolicy, AntiAffinityGroupUpdate } from '@steading/api/client'
import { affinityTypeOf } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Group } from 'lucide-react'
import { useForm, useWatch } from 'react-hook-form'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { seedAnswer } from '../../data/seed-answer.ts'
import { namedFields, namedValues, useEditForm } from '../../forms/use-edit-form.tsx'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { RadioField } from '../../ui/form/choice-fields.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { capitalized } from '../../ui/list-controls/count-text.ts'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { doneToast } from '../../ui/toasts.tsx'
import { groupUpdates } from './group-actions.tsx'
import { type GroupKind, groupKinds, groupPath } from './group-kinds.ts'
import { groupTitle, groupNoun } from './group-labels.ts'
import { groupPurposes, policyHelps } from './group-cells.tsx'
import {
  groupArgs,
  groupQuery,
  groupsQuery,
  groupViews,
  lacksGroups,
  useGroupParams,
} from './queries.ts'
import { Truncate } from '../../ui/text.tsx'

const groupCreations = {
  anti_affinity_group: 'antiAffinityGroupCreate',
  affinity_group: 'affinityGroupCreate',
} as const

const policies = [
  { value: 'allow', label: 'Allow' },
  { value: 'fail', label: 'Fail' },
]

const initial = {
  kind: 'anti_affinity_group' as GroupKind,
  name: '',
  description: '',
  policy: 'allow' as AffinityPolicy,
}

export function GroupCreateForm() {
  const navigate = useNavigate()
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const form = useForm({ defaultValues: initial })
  const kind = useWatch({ control: form.control, name: 'kind' })
  const lacking = lacksGroups(useQuery(groupsQuery('affinity_group', project)).error)
  const argsOf = ({ name, description, policy }: typeof initial) => ({
    query: { project },
    body: { name, description, policy, failureDomain: 'sled' as const },
  })
  const create = useApiForm(groupCreations[kind], argsOf, {
    onSuccess: (group) => {
      const params = { kind, project, group: group.name }
      seedAnswer(groupViews[kind], groupArgs(params), group)
      doneToast(groupTitle(kind), group.name, 'created')
      void navigate({ to: groupPath(params) as '/' })
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource={groupNoun(kind)}
      title="New affinity group"
      submitLabel="Add group"
      {...create}
      onDismiss={() => void navigate({ to: '/projects/$project/affinity', params: { project } })}
    >
      <RadioField
        name="kind"
        label="Type"
        description={groupPurposes[kind]}
        control={form.control}
        items={groupKinds.map((each) => ({
          value: each,
          label: capitalized(affinityTypeOf[each]),
          disabledReason:
            each === 'affinity_group' && lacking && 'This control plane has no affinity groups.',
        }))}
        column
      />
      <NameField control={form.control} />
      <DescriptionField control={form.control} />
      <RadioField
        name="policy"
        description={policyHelps[kind]}
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
  const { kind } = params
  const leaveFor = (name: string) =>
    void navigate({ to: groupPath({ ...params, group: name }) as '/' })
  const argsOf = (body: AntiAffinityGroupUpdate) => ({ ...groupArgs(params), body })
  const {
    opened: group,
    form,
    ...update
  } = useEditForm(groupUpdates[kind], {
    resource: groupNoun(kind),
    read: groupQuery(params),
    valuesOf: namedValues,
    fields: namedFields,
    argsOf,
    onSuccess: (updated) => {
      const renamed = { ...params, group: updated.name }
      seedAnswer(groupViews[kind], groupArgs(renamed), updated)
      doneToast(groupTitle(kind), updated.name, 'updated')
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
          <Truncate text={group.name} />
        </>
      }
      {...update}
      onDismiss={() => leaveFor(params.group)}
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

import type { ScheduleTarget } from '@steading/api/client'
import { scheduleTargets } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { type Control, useController, useWatch } from 'react-hook-form'
import { apiQuery } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { readingOf } from '../../data/reads.ts'
import { useListEntry } from '../../forms/list-entry.ts'
import { SubForm } from '../../forms/sub-form.tsx'
import { projectDisksQuery } from '../../storage/disks/queries.ts'
import { ComboboxField } from '../../ui/form/combobox-field.tsx'
import { MiniTable } from '../../ui/form/mini-table.tsx'
import { projectInstancesQuery } from '../instances/queries.ts'
import {
  partsOfTarget,
  targetList,
  targetsFor,
  targetsOf,
  targetText,
  type Values,
} from './form-values.ts'
import { Truncate } from '../../ui/text.tsx'

const optionOf = (kind: ScheduleTarget['kind'], name: string, detail?: string) => ({
  value: targetText({ kind, name }),
  label: name,
  content: (
    <span className="flex items-center gap-3">
      <Truncate text={name} className="flex-1" />
      <span className="text-secondary">{detail ?? kind}</span>
    </span>
  ),
})

const columns = [
  { id: 'name', header: 'name', cell: (target: string) => partsOfTarget(target).name },
  { id: 'kind', header: 'kind', cell: (target: string) => partsOfTarget(target).kind },
]

/** The chosen instances, disks and tags. */
export function TargetsField({ project, control }: { project: string; control: Control<Values> }) {
  const action = useWatch({ control, name: 'action' })
  const ofDisks = scheduleTargets(action).includes('disk')
  const instances = useQuery(projectInstancesQuery(project))
  const disks = useQuery({ ...projectDisksQuery(project), enabled: ofDisks })
  const tags = useQuery({
    ...apiQuery('tagList', { query: { project } }),
    enabled: useCapability('tags'),
  })
  const { items, round, remove, field, subForm } = useListEntry(
    targetList,
    'targets',
    'targetEntry',
  )
  const { fieldState } = useController({
    control,
    name: 'targets',
    rules: {
      validate: (_, values) =>
        targetsOf(values).length === 0 ? 'Choose at least one target' : undefined,
    },
  })
  const targets = targetsFor(action, items)
  const options = [
    ...(instances.data?.items.map(({ name }) => optionOf('instance', name)) ?? []),
    ...(ofDisks
      ? (disks.data?.items
          .filter(({ diskType, readOnly }) => diskType !== 'local' && !readOnly)
          .map(({ name }) => optionOf('disk', name)) ?? [])
      : []),
    ...(tags.data?.items.map(({ tag }) => optionOf('tag', tag)) ?? []),
  ].filter(({ value }) => !targets.includes(value))
  const { error } = fieldState
  return (
    <div className="flex flex-col gap-2">
      <SubForm addLabel="Add target" {...subForm}>
        <ComboboxField
          key={round}
          {...field('target')}
          label="Targets"
          description={
            ofDisks
              ? 'An instance includes every disk attached to it when the schedule runs. A tag stands for the instances and disks that have it then.'
              : 'A tag stands for the instances that have it when a run begins.'
          }
          placeholder={
            ofDisks ? 'Select an instance, a disk or a tag' : 'Select an instance or a tag'
          }
          {...(ofDisks ? readingOf(instances, disks) : readingOf(instances))}
          options={options}
          disabled={subForm.full !== undefined}
          empty={ofDisks ? 'No further instances, disks and tags' : 'No further instances and tags'}
        />
      </SubForm>
      <MiniTable
        label="Targets"
        columns={columns}
        items={targets}
        rowKey={(target) => target}
        removeLabel={(target) => `Remove ${partsOfTarget(target).name}`}
        onRemove={remove}
      />
      {error && (
        <p role="alert" className="text-red-text">
          {error.message}
        </p>
      )}
    </div>
  )
}

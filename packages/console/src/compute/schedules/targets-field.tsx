import type { ScheduleTarget } from '@steading/api/client'
import { SCHEDULE_TARGETS_MAX, scheduleMessages, scheduleTargets } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { type Control, useController, useForm, useWatch } from 'react-hook-form'
import { apiQuery } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { readingOf } from '../../data/reads.ts'
import { projectDisksQuery } from '../../storage/disks/queries.ts'
import { ComboboxField } from '../../ui/form/combobox-field.tsx'
import { MiniTable, SubFormButtons } from '../../ui/form/mini-table.tsx'
import { projectInstancesQuery } from '../instances/queries.ts'
import { partsOfTarget, targetsFor, targetText, type Values } from './form-values.ts'

const optionOf = (kind: ScheduleTarget['kind'], name: string, detail?: string) => ({
  value: targetText({ kind, name }),
  label: name,
  content: (
    <span className="flex items-center gap-3">
      <span className="min-w-0 flex-1 truncate">{name}</span>
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
  const { field, fieldState } = useController({
    control,
    name: 'targets',
    rules: {
      validate: (targets, values) =>
        targetsFor(values.action, targets).length === 0 ? 'Choose at least one target' : undefined,
    },
  })
  // The choice is no value of the form until it is added.
  const adding = useForm({ defaultValues: { target: '' } })
  const chosen = useWatch({ control: adding.control, name: 'target' })
  const targets = targetsFor(action, field.value)
  const options = [
    ...(instances.data?.items.map(({ name }) => optionOf('instance', name)) ?? []),
    ...(ofDisks
      ? (disks.data?.items
          .filter(({ diskType, readOnly }) => diskType !== 'local' && !readOnly)
          .map(({ name }) => optionOf('disk', name)) ?? [])
      : []),
    ...(tags.data?.items.map(({ tag }) => optionOf('tag', tag)) ?? []),
  ].filter(({ value }) => !targets.includes(value))
  const full = targets.length >= SCHEDULE_TARGETS_MAX
  const { error } = fieldState
  return (
    <div className="flex flex-col gap-2">
      <ComboboxField
        name="target"
        label="Targets"
        // The targets are the value, and this only adds to them.
        validate={() => undefined}
        description={
          ofDisks
            ? 'An instance includes every disk attached to it when the schedule runs. A tag stands for the instances and disks that have it then.'
            : 'A tag stands for the instances that have it when a run begins.'
        }
        placeholder={
          ofDisks ? 'Select an instance, a disk or a tag' : 'Select an instance or a tag'
        }
        control={adding.control}
        {...(ofDisks ? readingOf(instances, disks) : readingOf(instances))}
        options={options}
        disabled={full}
        empty={ofDisks ? 'No further instances, disks and tags' : 'No further instances and tags'}
      />
      <SubFormButtons
        addLabel="Add target"
        addable={chosen !== '' && !full}
        onAdd={() => {
          field.onChange([...targets, chosen])
          adding.reset()
        }}
        clearable={chosen !== ''}
        onClear={() => adding.reset()}
      />
      <MiniTable
        label="Targets"
        columns={columns}
        items={targets}
        rowKey={(target) => target}
        removeLabel={(target) => `Remove ${partsOfTarget(target).name}`}
        onRemove={(target) => field.onChange(targets.filter((one) => one !== target))}
      />
      {(error ?? full) && (
        <p role="alert" className="text-red-text">
          {error?.message ?? scheduleMessages.tooManyTargets}
        </p>
      )}
    </div>
  )
}

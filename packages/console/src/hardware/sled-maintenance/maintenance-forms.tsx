import type { SledMaintenance, SledMaintenancePreview } from '@steading/api/client'
import { instantOf } from '@steading/api/recurrence'
import {
  asSentence,
  maintenanceMessages,
  maintenanceReasonProblem,
  type UnmovableChoice,
} from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { type Control, useForm } from 'react-hook-form'
import { useEnginePart } from '../../data/capabilities.ts'
import { useEditForm } from '../../forms/use-edit-form.tsx'
import { LoadError } from '../../page/load-error.tsx'
import { RadioField } from '../../ui/form/choice-fields.tsx'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import { localText } from '../../compute/schedules/form-values.ts'
import { ownTimeZone } from '../../ui/time.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Strong } from '../../ui/text.tsx'
import { doneToast } from '../../ui/toasts.tsx'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { maintenanceQuery, previewQuery } from './queries.ts'

type Sled = { id: string; serial: string }
type Values = { reason: string; end: string; unmovable: UnmovableChoice }

const timeZone = ownTimeZone()

const endOf = (end: string): Date | null | undefined =>
  end.trim() === '' ? null : instantOf(end.trim(), timeZone)

const bodyOf = ({ reason, end, unmovable }: Values) => ({
  reason: reason.trim(),
  timeEnd: endOf(end) ?? null,
  unmovable,
})

/** @param present the end so far, which may have passed */
function endProblem(end: string, present?: string): string | undefined {
  const time = endOf(end)
  if (time === undefined) return 'Must be a date and a time, such as 2026-12-01 02:00'
  return time !== null && end !== present && time.getTime() <= Date.now()
    ? asSentence(maintenanceMessages.endPast)
    : undefined
}

const unmovableItems = [
  { value: 'leave', label: 'Leave them on the sled', description: 'They move when there is room' },
  {
    value: 'stop',
    label: 'Stop them',
    description: 'Start them again by hand; they start on other sleds',
  },
]

function Fields({ control, end }: { control: Control<Values>; end?: string }) {
  return (
    <>
      <TextField
        control={control}
        name="reason"
        label="Reason"
        description="Operators see it in the list of sleds"
        required
        validate={(value) => asSentence(maintenanceReasonProblem(value as string))}
      />
      <TextField
        control={control}
        name="end"
        label="Expected end"
        placeholder="2026-12-01 02:00"
        description={`Date and time in ${timeZone}. Afterwards the maintenance is an issue; it does not end by itself`}
        validate={(value) => endProblem(value as string, end)}
      />
      <RadioField
        control={control}
        name="unmovable"
        label="Instances that cannot move"
        items={unmovableItems}
        column
      />
    </>
  )
}

const many = (count: number) => `${count} ${count === 1 ? 'instance' : 'instances'}`

/** The instances of a sled, with their next sleds; first those that have none. */
function Preview({ total, instances }: SledMaintenancePreview) {
  if (total === 0) return <p className="text-secondary">No instance is on it.</p>
  const stuck = instances.filter(({ problem }) => problem !== null)
  return (
    <div className="flex flex-col gap-2">
      <p>
        {total > stuck.length &&
          `${many(total - stuck.length)} will move to other sleds, and keep running. `}
        {stuck.length > 0 && <Strong>{many(stuck.length)} cannot move now.</Strong>}
      </p>
      <ul
        className="focus-inset -mx-5 max-h-44 overflow-y-auto border-y"
        aria-label="Instances"
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
        tabIndex={0}
      >
        {[...stuck, ...instances.filter(({ problem }) => problem === null)].map((instance) => (
          <li
            key={instance.id}
            className="flex flex-wrap items-baseline justify-between gap-x-3 px-5 py-1.5 not-last:border-b"
          >
            <span className="min-w-0 wrap-anywhere">
              <Strong>{instance.name}</Strong>{' '}
              <span className="text-xs text-tertiary">
                {instance.siloName} / {instance.projectName}
              </span>
            </span>
            <span className={instance.problem === null ? 'text-secondary' : 'text-amber-text'}>
              {instance.problem ?? `to ${instance.sledSerial}`}
            </span>
          </li>
        ))}
      </ul>
      {total > instances.length && (
        <p className="text-xs text-secondary">The first {instances.length} are shown.</p>
      )}
    </div>
  )
}

type FormProps = { sled: Sled; onDismiss: () => void }

/** Begins the maintenance of a sled, after a preview of its effects. */
export function BeginMaintenance({ sled, onDismiss }: FormProps) {
  const { id: sledId, serial } = sled
  const hasReplicas = useEnginePart('replicas')
  const { data, error, refetch } = useQuery(previewQuery(sledId))
  const form = useForm<Values>({ defaultValues: { reason: '', end: '', unmovable: 'leave' } })
  const begin = useApiForm(
    'sledMaintenanceBegin',
    (values: Values) => ({ path: { sledId }, body: bodyOf(values) }),
    {
      onSuccess: () => {
        doneToast('Maintenance of sled', serial, 'begun')
        onDismiss()
      },
    },
  )
  return (
    <ModalForm
      form={form}
      title="Begin maintenance"
      submitLabel="Begin maintenance"
      {...begin}
      onDismiss={onDismiss}
    >
      <p className="text-secondary">
        No new instance is placed on <Strong>{serial}</Strong> until the maintenance ends.
        {hasReplicas && ' Its disks keep storing replicas.'}
      </p>
      {/* Keeps its room while the preview loads. */}
      <div className="min-h-24">
        {data ? (
          <Preview {...data} />
        ) : error ? (
          <LoadError what="The preview" error={error} onRetry={refetch} />
        ) : (
          <p className="text-secondary">Loading the instances…</p>
        )}
      </div>
      <Fields control={form.control} />
    </ModalForm>
  )
}

const valuesOf = ({ reason, timeEnd, unmovable }: SledMaintenance): Values => ({
  reason,
  end: timeEnd ? localText(timeEnd, timeZone) : '',
  unmovable,
})

export function EditMaintenance({
  sled,
  opened,
  onDismiss,
}: FormProps & { opened: SledMaintenance }) {
  const { id: sledId, serial } = sled
  const {
    form,
    resource: _,
    ...update
  } = useEditForm('sledMaintenanceUpdate', {
    resource: 'maintenance',
    read: maintenanceQuery(sledId),
    opened,
    valuesOf,
    fields: {
      reason: 'Reason',
      end: 'Expected end',
      unmovable: 'Instances that cannot move',
    },
    argsOf: (values) => ({ path: { sledId }, body: bodyOf(values) }),
    onSuccess: () => {
      doneToast('Maintenance of sled', serial, 'changed')
      onDismiss()
    },
  })
  return (
    <ModalForm
      form={form}
      title="Edit maintenance"
      submitLabel="Save"
      {...update}
      onDismiss={onDismiss}
    >
      <Fields control={form.control} end={valuesOf(opened).end} />
    </ModalForm>
  )
}

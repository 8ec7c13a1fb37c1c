import type { Schedule } from '@steading/api/client'
import { recurrenceProblem } from '@steading/api/recurrence'
import {
  retentionMax,
  retentionProblem,
  retentionRules,
  scheduleActions,
  scheduleMinutesMin,
} from '@steading/api/rules'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Clock } from 'lucide-react'
import { useState } from 'react'
import { type Control, useForm, type UseFormReturn, useWatch } from 'react-hook-form'
import { usePrefetchedQuery } from '../../data/api.ts'
import { PageForm, type Saving } from '../../forms/page-form.tsx'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { TimeZoneField } from '../../forms/time-zone-field.tsx'
import { useEditForm } from '../../forms/use-edit-form.tsx'
import { pathTo } from '../../data/addresses.ts'
import { RadioField } from '../../ui/form/choice-fields.tsx'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { DocsPopover, PageHeader } from '../../ui/page-header.tsx'
import { doneToast } from '../../ui/toasts.tsx'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { useNow } from '../instances/failure.ts'
import {
  bodyOf,
  editedFields,
  type Every,
  newValues,
  problemOf,
  ruleRecurrence,
  targetList,
  timeProblem,
  type Values,
  valuesOf,
} from './form-values.ts'
import { NextRuns } from './next-runs.tsx'
import { scheduleArgs, scheduleQuery, targetsQuery } from './queries.ts'
import { TargetsField } from './targets-field.tsx'
import { retentionLabels, scheduleDocs, weekdays } from './labels.ts'

const actionLabels = {
  snapshot: 'Take snapshots',
  start: 'Start instances',
  stop: 'Stop instances',
} as const

const everyLabels: Record<Every, string> = {
  hour: 'Hour',
  day: 'Day',
  week: 'Week',
  month: 'Month',
  cron: 'By cron expression',
  once: 'Once',
}

/** The field of the chosen recurrence. */
function TimeFields({ control }: { control: Control<Values> }) {
  const every = useWatch({ control, name: 'every' })
  const action = useWatch({ control, name: 'action' })
  const time = (
    <TextField
      name="time"
      label="Time of day"
      required
      control={control}
      validate={(value) => timeProblem(value as string)}
    />
  )
  if (every === 'hour') {
    return <NumberField name="minute" label="Minute" control={control} max={59} />
  }
  if (every === 'cron') {
    return (
      <TextField
        name="expression"
        label="Cron expression"
        mono
        required
        description={`Minute, hour, day of month, month and day of week; at least ${scheduleMinutesMin(action)} minutes between two runs`}
        control={control}
        validate={(_, values) => problemOf(values, 'expression')}
      />
    )
  }
  if (every === 'once') {
    return (
      <TextField
        name="date"
        label="Date and time"
        required
        control={control}
        validate={(_, values) => problemOf(values, 'date')}
      />
    )
  }
  if (every === 'day') return time
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      {every === 'week' ? (
        <ListboxField
          name="weekday"
          label="Day of the week"
          control={control}
          options={weekdays.map((label, value) => ({ value: String(value), label }))}
        />
      ) : (
        <NumberField
          name="day"
          label="Day of the month"
          description="Months without it are skipped"
          control={control}
          min={1}
          max={31}
        />
      )}
      {time}
    </div>
  )
}

function RecurrenceFields({ control }: { control: Control<Values> }) {
  return (
    <>
      <RadioField
        name="every"
        label="Every"
        control={control}
        items={Object.entries(everyLabels).map(([value, label]) => ({ value, label }))}
      />
      <TimeFields control={control} />
      <TimeZoneField
        name="timeZone"
        description="Runs adjust for daylight saving time"
        control={control}
        validate={(_, values) => problemOf(values, 'timeZone')}
      />
    </>
  )
}

const periods = {
  last: 'The newest, whatever their age',
  daily: 'The newest of each day, for this many days',
  weekly: 'The newest of each week, for this many weeks',
  monthly: 'The newest of each month, for this many months',
  yearly: 'The newest of each year, for this many years',
} as const

/** The retention: grandfather, father, son. */
function RetentionFields({ control }: { control: Control<Values> }) {
  const keep = useWatch({ control, name: 'keep' })
  return (
    <>
      <RadioField
        name="keep"
        label="Retention"
        description="Applies to the snapshots of this schedule, per disk. A snapshot is kept if any rule keeps it."
        column
        control={control}
        items={[
          { value: 'some', label: 'Keep some snapshots, and delete the rest' },
          { value: 'all', label: 'Keep all snapshots' },
        ]}
      />
      {keep === 'some' && (
        <div className="grid gap-x-5 gap-y-4 sm:grid-cols-2">
          {retentionRules.map((rule) => (
            <NumberField
              key={rule}
              name={rule}
              label={retentionLabels[rule]}
              description={periods[rule]}
              control={control}
              max={retentionMax[rule]}
              validate={(_, { last, daily, weekly, monthly, yearly }) =>
                rule === 'last' && retentionProblem({ last, daily, weekly, monthly, yearly })
                  ? 'At least one number must be above zero'
                  : undefined
              }
            />
          ))}
        </div>
      )}
    </>
  )
}

/** The next runs of the present input. */
function Preview({ control }: { control: Control<Values> }) {
  const values = useWatch({ control }) as Values
  const now = useNow(true)
  const recurrence = ruleRecurrence(values)
  const problem = recurrenceProblem(recurrence, values.action, now)
  return (
    <div className="flex max-w-md flex-col gap-2 xl:mt-6.5">
      <NextRuns
        recurrence={problem ? undefined : recurrence}
        timeZone={problem?.field === 'time_zone' ? undefined : values.timeZone}
        empty="The times are shown once they are complete"
      />
      <p className="text-secondary">
        If the server is down at that time, the schedule runs once when it is back.
      </p>
    </div>
  )
}

type FormProps = {
  project: string
  title: string
  submit: string
  back: string
  form: UseFormReturn<Values>
  saving: Saving<Values>
  done: boolean
}

function ScheduleForm({ project, title, ...props }: FormProps) {
  const { control } = props.form
  const action = useWatch({ control, name: 'action' })
  return (
    <>
      <PageHeader title={title} icon={<Clock strokeWidth={1.5} aria-hidden />}>
        <DocsPopover {...scheduleDocs} />
      </PageHeader>
      <PageForm {...props} preview={<Preview control={control} />}>
        <NameField control={control} />
        <DescriptionField control={control} />
        <RadioField
          name="action"
          label="Action"
          control={control}
          items={scheduleActions.map((value) => ({ value, label: actionLabels[value] }))}
        />
        <TargetsField project={project} control={control} />
        <RecurrenceFields control={control} />
        {action === 'snapshot' && <RetentionFields control={control} />}
      </PageForm>
    </>
  )
}

function useSaved(project: string) {
  const navigate = useNavigate()
  // The guard must be off before the page is left, so navigation waits for a render.
  const [done, setDone] = useState(false)
  return {
    done,
    saved: (what: string) => ({
      onSuccess: ({ name }: Schedule) => {
        setDone(true)
        doneToast('Schedule', name, what)
        void navigate({
          to: '/projects/$project/schedules/$schedule',
          params: { project, schedule: name },
          ignoreBlocker: true,
        })
      },
    }),
  }
}

export function ScheduleCreatePage() {
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const { done, saved } = useSaved(project)
  const create = useApiForm(
    'scheduleCreate',
    (values: Values) => ({ query: { project }, body: bodyOf(values) }),
    saved('created'),
  )
  const form = useForm<Values>({ defaultValues: newValues() })
  return (
    <ScheduleForm
      project={project}
      title="New schedule"
      submit="Create schedule"
      back={pathTo('/projects/$project/schedules', { project })}
      form={form}
      saving={create}
      done={done}
    />
  )
}

export function ScheduleEditPage() {
  const { project, schedule: name } = useParams({ strict: false }) as {
    project: string
    schedule: string
  }
  const { done, saved } = useSaved(project)
  const { data: targets } = usePrefetchedQuery(targetsQuery(project, name))
  const { form, opened, ...saving } = useEditForm('scheduleUpdate', {
    resource: 'schedule',
    read: scheduleQuery(project, name),
    valuesOf: (schedule: Schedule) => valuesOf(schedule, targets.items),
    fields: editedFields,
    entries: { targetEntry: targetList.blank },
    argsOf: (values: Values) => ({ ...scheduleArgs(project, name), body: bodyOf(values) }),
    ...saved('updated'),
  })
  return (
    <ScheduleForm
      project={project}
      title={`Edit ${opened.name}`}
      submit="Update schedule"
      back={pathTo('/projects/$project/schedules/$schedule', { project, schedule: name })}
      form={form}
      saving={saving}
      done={done}
    />
  )
}

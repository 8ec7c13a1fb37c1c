/** The values of the form of a schedule, and the schedules that they stand for. */
import type {
  Schedule,
  ScheduleAction,
  ScheduleCreate,
  ScheduleRecurrence,
  ScheduleRetention,
  ScheduleTarget,
} from '@steading/api/client'
import { instantOf, type Recurrence, recurrenceProblem } from '@steading/api/recurrence'
import {
  asSentence,
  type RetentionRule,
  retentionRules,
  SCHEDULE_TARGETS_MAX,
  scheduleMessages,
  scheduleTargets,
} from '@steading/api/rules'
import { type EntryList, withEntry } from '../../forms/list-entry.ts'
import { ownTimeZone } from '../../ui/time.tsx'
import type { EditedFields } from '../../forms/use-edit-form.tsx'
import { namedFields } from '../../forms/use-edit-form.tsx'
import { plainRecurrence, retentionLabels } from './labels.ts'

export const everies = ['hour', 'day', 'week', 'month', 'cron', 'once'] as const
export type Every = (typeof everies)[number]

/** The chosen targets, as texts of kind and name. */
export const targetList: EntryList<string, { target: string }> = {
  blank: { target: '' },
  isBlank: ({ target }) => target === '',
  problems: {},
  add: (targets, { target }) => (targets.includes(target) ? [...targets] : [...targets, target]),
  max: SCHEDULE_TARGETS_MAX,
  full: asSentence(scheduleMessages.tooManyTargets)!,
}

export type Edited = {
  name: string
  description: string
  action: ScheduleAction
  /** Kind and name, `disk/data`, `tag/env:prod`. */
  targets: string[]
  every: Every
  minute: number
  time: string
  weekday: string
  day: number
  expression: string
  date: string
  timeZone: string
  keep: 'all' | 'some'
} & Record<RetentionRule, number>

/** With the target that is chosen but not yet added. */
export type Values = Edited & { targetEntry: (typeof targetList)['blank'] }

/** Local date and time, `2026-12-01 02:00`. */
export const localText = (time: Date, timeZone: string): string =>
  time.toLocaleString('sv', { timeZone }).slice(0, 16)

const HOUR_MS = 3_600_000

export const newValues = (): Values => ({
  name: '',
  description: '',
  action: 'snapshot',
  targets: [],
  targetEntry: targetList.blank,
  ...timeValues(ownTimeZone()),
  keep: 'some',
  last: 0,
  daily: 7,
  weekly: 4,
  monthly: 0,
  yearly: 0,
})

const timeValues = (timeZone: string) => ({
  every: 'day' as Every,
  minute: 0,
  time: '02:00',
  weekday: '1',
  day: 1,
  expression: '0 2 * * *',
  date: localText(new Date(Date.now() + HOUR_MS), timeZone),
  timeZone,
})

function valuesOfRecurrence(recurrence: ScheduleRecurrence) {
  if (recurrence.type === 'once') {
    const values = timeValues(ownTimeZone())
    return {
      ...values,
      every: 'once' as const,
      date: localText(recurrence.timeDue, values.timeZone),
    }
  }
  const { expression, timeZone } = recurrence
  const plain = plainRecurrence(expression)
  const values = { ...timeValues(timeZone), expression }
  if (!plain) return { ...values, every: 'cron' as const }
  return plain.every === 'week'
    ? { ...values, ...plain, weekday: String(plain.weekday) }
    : { ...values, ...plain }
}

const noRetention = { last: 0, daily: 0, weekly: 0, monthly: 0, yearly: 0 }

export const targetText = ({ kind, name }: Pick<ScheduleTarget, 'kind' | 'name'>) =>
  `${kind}/${name}`

export const valuesOf = (schedule: Schedule, targets: readonly ScheduleTarget[]): Edited => ({
  name: schedule.name,
  description: schedule.description,
  action: schedule.action,
  targets: targets.map(targetText),
  ...valuesOfRecurrence(schedule.recurrence),
  keep: schedule.retention ? 'some' : 'all',
  ...noRetention,
  ...schedule.retention,
})

/** Hour and minute of a time of day; undefined for another text. */
function clockOf(time: string): [hour: number, minute: number] | undefined {
  const found = /^(\d{1,2}):(\d{2})$/.exec(time.trim())
  const [hour, minute] = [Number(found?.[1]), Number(found?.[2])]
  return hour < 24 && minute < 60 ? [hour, minute] : undefined
}

export const timeProblem = (time: string): string | undefined =>
  clockOf(time) ? undefined : 'Must be a time of day, such as 02:00'

type TimeValues = Omit<Edited, 'name' | 'description' | 'targets' | 'keep' | RetentionRule>

function expressionOf({ every, minute, time, weekday, day, expression }: TimeValues): string {
  if (every === 'cron') return expression.trim()
  if (every === 'hour') return `${minute} * * * *`
  const clock = clockOf(time)
  const at = clock ? `${clock[1]} ${clock[0]}` : '? ?'
  if (every === 'week') return `${at} * * ${weekday}`
  return every === 'month' ? `${at} ${day} * *` : `${at} * * *`
}

/** The recurrence in the shape of the rules. */
export function ruleRecurrence(values: TimeValues): Recurrence {
  if (values.every !== 'once') {
    return { type: 'cron', expression: expressionOf(values), time_zone: values.timeZone }
  }
  const time = instantOf(values.date, values.timeZone)
  return { type: 'once', time_due: time?.toISOString() ?? '' }
}

/** Problem with a field of the recurrence; undefined if it is valid. */
export function problemOf(
  values: TimeValues,
  field: 'expression' | 'date' | 'timeZone',
): string | undefined {
  const problem = recurrenceProblem(ruleRecurrence(values), values.action, new Date())
  const fields = { expression: 'expression', date: 'time_due', timeZone: 'time_zone' } as const
  if (problem?.field !== fields[field]) return undefined
  if (field === 'date' && !instantOf(values.date, values.timeZone)) {
    return 'Must be a date and a time, such as 2026-12-01 02:00'
  }
  return `${problem.message[0]!.toUpperCase()}${problem.message.slice(1)}`
}

function recurrenceOf(values: TimeValues): ScheduleRecurrence {
  const rule = ruleRecurrence(values)
  return rule.type === 'once'
    ? { type: 'once', timeDue: new Date(rule.time_due) }
    : { type: 'cron', expression: rule.expression, timeZone: rule.time_zone }
}

export function partsOfTarget(target: string): Pick<ScheduleTarget, 'kind' | 'name'> {
  const slash = target.indexOf('/')
  return { kind: target.slice(0, slash) as ScheduleTarget['kind'], name: target.slice(slash + 1) }
}

/** The targets that an action can have. */
export const targetsFor = (action: ScheduleAction, targets: readonly string[]): string[] =>
  targets.filter((target) => scheduleTargets(action).includes(partsOfTarget(target).kind))

/** The targets of the form, with one that is chosen but not added. */
export const targetsOf = ({ action, targets, targetEntry }: Values): string[] =>
  targetsFor(action, withEntry(targetList, targetsFor(action, targets), targetEntry))

const selectorOf = (target: string): ScheduleCreate['targets'][number] => {
  const { kind, name } = partsOfTarget(target)
  return { kind, [kind]: name } as ScheduleCreate['targets'][number]
}

export const bodyOf = (values: Values) => ({
  name: values.name,
  description: values.description,
  action: values.action,
  recurrence: recurrenceOf(values),
  retention:
    values.action === 'snapshot' && values.keep === 'some'
      ? (Object.fromEntries(
          retentionRules.map((rule) => [rule, values[rule] || 0]),
        ) as unknown as ScheduleRetention)
      : null,
  targets: targetsOf(values).map(selectorOf),
})

export const editedFields: EditedFields<Edited> = {
  ...namedFields,
  action: 'Action',
  targets: 'Targets',
  every: 'Every',
  minute: 'Minute',
  time: 'Time',
  weekday: 'Day of the week',
  day: 'Day of the month',
  expression: 'Cron expression',
  date: 'Date and time',
  timeZone: 'Time zone',
  keep: 'Retention',
  ...retentionLabels,
}

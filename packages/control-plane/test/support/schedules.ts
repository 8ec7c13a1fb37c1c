/** Schedules: tests create them and wait for their runs. */
import type { Wire } from '@steading/api'
import type { Db } from '../../src/kernel/db/database.ts'
import type { Caller } from './caller.ts'
import { until } from './things.ts'

interface Body extends Partial<Omit<Wire.ScheduleCreate, 'targets' | 'retention'>> {
  name: string
  retention?: Partial<Wire.ScheduleRetention>
  disks?: string[]
  instances?: string[]
  tags?: string[]
}

/** A nightly schedule, of snapshots unless another action is given. */
export const scheduleBody = ({
  disks = [],
  instances = [],
  tags = [],
  retention,
  enabled = true,
  ...values
}: Body): Wire.ScheduleCreate => ({
  description: '',
  enabled,
  // The control plane completes it.
  ...(retention && { retention: retention as Wire.ScheduleRetention }),
  action: 'snapshot',
  recurrence: { type: 'cron', expression: '0 2 * * *', time_zone: 'UTC' },
  targets: [
    ...instances.map((instance) => ({ kind: 'instance' as const, instance })),
    ...disks.map((disk) => ({ kind: 'disk' as const, disk })),
    ...tags.map((tag) => ({ kind: 'tag' as const, tag })),
  ],
  ...values,
})

/** Makes schedules due at a time, for the next time that the reconciler wakes. */
export const setDue = (db: Db, time_next: string, ids: readonly string[]) =>
  db
    .updateTable('schedule')
    .set({ time_next, reconcile_at: time_next })
    .where('id', 'in', ids)
    .execute()

/** Waits until a schedule has ended a number of runs. */
export const ran = (
  caller: Caller,
  { id }: Pick<Wire.Schedule, 'id'>,
  runs: number,
): Promise<Wire.Schedule> =>
  until(
    () => caller.call('schedule_view', { params: { schedule: id } }),
    ({ last_run }) => {
      if (last_run?.number !== runs || last_run.state === 'running') {
        throw new Error(`run ${last_run?.number} is ${last_run?.state}`)
      }
    },
  )

/** The latest run of a schedule with its items. */
export async function latestRun(
  caller: Caller,
  { id }: Pick<Wire.Schedule, 'id'>,
): Promise<Wire.ScheduleRunDetails> {
  const params = { schedule: id }
  const { last_run } = await caller.call('schedule_view', { params })
  return caller.call('schedule_run_view', { params: { ...params, run: last_run!.id } })
}

/** Step, thing and outcome of every item of a run. */
export const results = ({ items }: Wire.ScheduleRunDetails): string[] =>
  items.map(
    ({ step, name, state, reason }) =>
      `${step} ${name}: ${state}${reason === null ? '' : `, ${reason}`}`,
  )

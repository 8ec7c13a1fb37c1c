import type { Wire } from '@steading/api'
import type { Recurrence } from '@steading/api/recurrence'
import {
  parseTag,
  type ScheduleItemStateName,
  type ScheduleResourceKind,
} from '@steading/api/rules'
import type { Selectable } from 'kysely'
import { anyTable } from '../../../kernel/db/any-table.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { identityOf } from '../../../kernel/identity.ts'
import { pick } from '../../../kernel/pick.ts'
import { countRowsBy } from '../../../kernel/db/rows.ts'
import type { JobItemRow } from '../../workspace/jobs/wire.ts'
import { retentionColumn, type ScheduleRunTable } from './table.ts'

export type ScheduleRow = Row<'schedule'>
export type RunRow = Selectable<ScheduleRunTable>

export const recurrenceOf = (
  row: Pick<ScheduleRow, 'cron' | 'time_zone' | 'time_once'>,
): Recurrence =>
  row.cron === null
    ? { type: 'once', time_due: row.time_once! }
    : { type: 'cron', expression: row.cron, time_zone: row.time_zone! }

/** The alarm of a schedule without a run. */
export const alarmOf = ({ time_next }: Pick<ScheduleRow, 'time_next'>): Date | null =>
  time_next === null ? null : new Date(time_next)

/** The targets of a kind that still exist, by name. */
export const liveTargets = (db: Db, scheduleIds: readonly string[], kind: ScheduleResourceKind) =>
  db
    .selectFrom('schedule_target as its')
    .innerJoin(anyTable(kind).as('thing'), 'thing.id', 'its.target')
    .where('its.schedule_id', 'in', scheduleIds)
    .where('its.kind', '=', kind)
    .where('thing.time_deleted', 'is', null)
    .orderBy('thing.name')

const countTargets = (
  db: Db,
  ids: readonly string[],
  kind: ScheduleResourceKind,
): Promise<Map<string, number>> =>
  countRowsBy(liveTargets(db, ids, kind).clearOrderBy(), 'its.schedule_id')

/** The tags that are targets of schedules, by schedule. */
export async function tagTargets(
  db: Db,
  scheduleIds: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom('schedule_target')
    .select(['schedule_id', 'target'])
    .where('schedule_id', 'in', scheduleIds)
    .where('kind', '=', 'tag')
    .orderBy('target')
    .execute()
  const tags = new Map<string, string[]>()
  for (const { schedule_id, target } of rows) {
    const list = tags.get(schedule_id)
    if (list) list.push(target)
    else tags.set(schedule_id, [target])
  }
  return tags
}

/** The resources of a project with a tag; a key alone stands for all its values. */
export function taggedResources(
  db: Db,
  projectId: string,
  kind: ScheduleResourceKind,
  tag: string,
) {
  const { key, value } = parseTag(tag)
  let rows = db
    .selectFrom('tag')
    .innerJoin(anyTable(kind).as('thing'), 'thing.id', 'tag.thing_id')
    .where('tag.project_id', '=', projectId)
    .where('tag.kind', '=', kind)
    .where('tag.key', '=', key)
    .where('thing.time_deleted', 'is', null)
    .orderBy('thing.name')
  if (value !== '') rows = rows.where('tag.value', '=', value)
  return rows
}

async function namesOfUsers(db: Db, rows: readonly ScheduleRow[]): Promise<Map<string, string>> {
  const ids = [...new Set(rows.map(({ author_id }) => author_id))]
  const users = await rowsOf(db, 'silo_user')
    .select(['its.id', 'its.display_name'])
    .where('its.id', 'in', ids)
    .execute()
  return new Map(users.map(({ id, display_name }) => [id, display_name]))
}

export async function toWireSchedules(
  db: Db,
  rows: readonly ScheduleRow[],
): Promise<Wire.Schedule[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const users = await namesOfUsers(db, rows)
  const instances = await countTargets(db, ids, 'instance')
  const disks = await countTargets(db, ids, 'disk')
  const tags = await tagTargets(db, ids)
  return rows.map((row) => ({
    ...identityOf(row),
    project_id: row.project_id,
    action: row.action,
    recurrence: recurrenceOf(row),
    retention: row.retention === null ? null : retentionColumn.read(row.retention),
    state: row.state,
    user_id: row.author_id,
    user_name: users.get(row.author_id) ?? null,
    instances: instances.get(row.id) ?? 0,
    disks: disks.get(row.id) ?? 0,
    tags: tags.get(row.id)?.length ?? 0,
    time_next: row.time_next,
    last_run:
      row.last_run_id === null
        ? null
        : {
            id: row.last_run_id,
            number: row.runs,
            state: row.last_result!,
            time_started: row.time_last_run!,
            reason: row.last_result === 'failed' ? row.failed_reason : null,
          },
  }))
}

export async function toWireSchedule(db: Db, row: ScheduleRow): Promise<Wire.Schedule> {
  const [schedule] = await toWireSchedules(db, [row])
  return schedule!
}

export const toWireRun = (row: RunRow): Wire.ScheduleRun => ({
  id: row.id,
  schedule_id: row.schedule_id,
  number: row.number,
  cause: row.cause,
  time_due: row.time_due,
  time_started: row.time_started,
  time_finished: row.time_finished,
  state: row.state,
  reason: row.reason,
  user_id: row.user_id,
  user_name: row.user_name,
  succeeded: row.succeeded,
  failed: row.failed,
})

const toWireItem = (row: JobItemRow): Wire.ScheduleRunItem => ({
  step: row.step,
  kind: row.thing_kind,
  id: row.thing_id,
  name: row.thing_name,
  instance_name: row.thing_inside === '' ? null : row.thing_inside,
  made_id: row.made_id,
  made_name: row.made_id === null ? null : row.makes,
  // Nothing cancels items of a run, and those that are refused have failed.
  state: row.state as ScheduleItemStateName,
  ...pick(row, 'reason', 'time_started', 'time_finished'),
})

export async function toWireRunDetails(db: Db, row: RunRow): Promise<Wire.ScheduleRunDetails> {
  const items = await db
    .selectFrom('job_item')
    .selectAll()
    .where('job_id', '=', row.id)
    .orderBy('position')
    .execute()
  return { ...toWireRun(row), items: items.map(toWireItem) }
}

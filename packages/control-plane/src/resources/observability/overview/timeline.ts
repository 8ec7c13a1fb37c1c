/** The part of an overview that shows what happened: entries of the audit log. */
import { type OperationId, operations, operationTable, type Wire } from '@steading/api'
import { isAudited } from '@steading/api'
import { type KindName, kindNames, TIMELINE_HOURS, TIMELINE_SHOWN } from '@steading/api/rules'
import { type Expression, sql, type SqlBool } from 'kysely'
import { type Actor, may } from '../../../kernel/authz/actor.ts'
import type { OpenDatabase } from '../../../kernel/db/database.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import { toWireHistoryEntry } from '../audit-log/wire.ts'
import { maySeeAllProjects } from './projects.ts'

const HOUR_MS = 60 * 60 * 1000
/** Entries are written some time after the time that they name. */
const SETTLED_MS = 60_000

/** The entries that a caller may read. */
export interface ReadableLog {
  /** The same for all callers with the same entries. */
  key: string
  condition: Expression<SqlBool>
}

/** Attempts to sign in change nothing. */
const signIns = (Object.keys(operations) as OperationId[]).filter(
  (id) => operationTable[id].permission === 'public' && isAudited(operationTable[id]),
)
const isChange = sql<boolean>`operation_id not in (${sql.join(signIns)})`

const all = (key: string, ...conditions: Expression<SqlBool>[]): ReadableLog => ({
  key,
  condition: sql<boolean>`${sql.join([...conditions, isChange], sql` and `)}`,
})

/** Kinds whose resources in a project the caller may read, and so their history. */
function readableKinds(actor: Actor, projectId?: string): KindName[] {
  const scope = { siloId: actor.siloId, projectId }
  return kindNames.filter((kind) => may(actor, 'read', kind, scope))
}

export function logOfProject(actor: Actor, projectId: string): ReadableLog {
  const kinds = readableKinds(actor, projectId)
  return all(
    `project ${projectId} ${kinds.join()}`,
    sql`project_id = ${projectId}`,
    sql`target_kind in (${sql.join(kinds)})`,
  )
}

/**
 * The log of the caller's silo. Callers who may not read it see the changes in the projects that
 * they may read, as in the histories of these resources.
 */
export function logOfSilo(actor: Actor, projectIds: readonly string[]): ReadableLog {
  const { siloId } = actor
  const ofSilo = sql<boolean>`silo_id = ${siloId}`
  if (may(actor, 'list', 'audit_log', { siloId })) return all(`silo ${siloId}`, ofSilo)
  // Roles on projects differ in what they permit, but each role permits to read the same.
  const kinds = readableKinds(actor, maySeeAllProjects(actor) ? undefined : projectIds[0])
  const projects = maySeeAllProjects(actor)
    ? sql`select id from project where silo_id = ${siloId} and time_deleted is null`
    : sql`${sql.join(['', ...projectIds])}`
  const key = maySeeAllProjects(actor) ? '' : projectIds.join()
  return all(
    `silo ${siloId} ${key} ${kinds.join()}`,
    ofSilo,
    sql`project_id in (${projects})`,
    sql`target_kind in (${sql.join(kinds)})`,
  )
}

export const logOfFleet: ReadableLog = all('fleet')

interface Hour {
  succeeded: number
  failed: number
}

/** Logs whose past hours are remembered. */
const KNOWN_LOGS = 500

/** Counts of past hours by log, least recently used first: their entries no longer change. */
const known = new WeakMap<object, Map<string, Map<number, Hour>>>()

function countsOf(database: object, key: string): Map<number, Hour> {
  const logs = known.get(database) ?? new Map<string, Map<number, Hour>>()
  known.set(database, logs)
  const counts = logs.get(key) ?? new Map<number, Hour>()
  logs.delete(key)
  logs.set(key, counts)
  if (logs.size > KNOWN_LOGS) logs.delete(logs.keys().next().value!)
  return counts
}

const timeOf = (hour: number): string => new Date(hour * HOUR_MS).toISOString()

export const entriesSince = (
  { db }: Pick<OpenDatabase, 'db'>,
  { condition }: ReadableLog,
  hour: number,
) => db.selectFrom('audit_log').where(condition).where('time_completed', '>=', timeOf(hour))

async function countHour(database: OpenDatabase, log: ReadableLog, hour: number): Promise<Hour> {
  const rows = await entriesSince(database, log, hour)
    .where('time_completed', '<', timeOf(hour + 1))
    .select(['result', sql<number | string>`count(*)`.as('count')])
    .groupBy('result')
    .execute()
  const counts = { succeeded: 0, failed: 0 }
  for (const { result, count } of rows) {
    counts[result === 'success' ? 'succeeded' : 'failed'] += Number(count)
  }
  return counts
}

export async function timelineOf(
  database: OpenDatabase,
  actor: Actor,
  log: ReadableLog,
  now: Date,
): Promise<Wire.OverviewTimeline> {
  const counts = countsOf(database, log.key)
  const last = Math.floor(now.getTime() / HOUR_MS)
  const first = last - TIMELINE_HOURS + 1
  for (const hour of counts.keys()) if (hour < first) counts.delete(hour)
  const settled = now.getTime() - SETTLED_MS
  const hours: (Hour & { hour: number })[] = []
  for (let hour = first; hour <= last; hour++) {
    let counted = counts.get(hour)
    if (!counted) {
      counted = await countHour(database, log, hour)
      if ((hour + 1) * HOUR_MS < settled) counts.set(hour, counted)
      if (counted.succeeded + counted.failed > 1000) await yieldToEventLoop()
    }
    hours.push({ hour, ...counted })
  }
  // The newest changes are in the last hours that together have enough.
  let from = last + 1
  for (let sum = 0; from > first && sum < TIMELINE_SHOWN;) {
    const { succeeded, failed } = hours[--from - first]!
    sum += succeeded + failed
  }
  const changes = await entriesSince(database, log, from)
    .selectAll()
    .orderBy('time_completed', 'desc')
    .orderBy('id', 'desc')
    .limit(TIMELINE_SHOWN)
    .execute()
  return {
    hours: hours.map(({ hour, ...counted }) => ({ time_begun: timeOf(hour), ...counted })),
    changes: changes.map((row) => toWireHistoryEntry(actor, row)),
  }
}

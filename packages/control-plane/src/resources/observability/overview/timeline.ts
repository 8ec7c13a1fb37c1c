/** The part of an overview that shows what happened: entries of the audit log. */
import type { Wire } from '@steading/api'
import { TIMELINE_HOURS, TIMELINE_SHOWN, untoldOperations } from '@steading/api/rules'
import { sql } from 'kysely'
import type { Actor } from '../../../kernel/authz/actor.ts'
import type { OpenDatabase } from '../../../kernel/db/database.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import type { EntryRow } from '../audit-log/list.ts'
import { sentenceOf, toWireHistoryEntry } from '../audit-log/wire.ts'
import type { ReadableLog } from '../audit-log/readable-log.ts'

const HOUR_MS = 60 * 60 * 1000
/** Entries are written some time after the time that they name. */
const SETTLED_MS = 60_000

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

/** Entries read for the newest changes, many of which may be shown as one. */
const ROWS_READ = 500

const isAlike = (one: EntryRow, other: EntryRow): boolean =>
  one.operation_id === other.operation_id &&
  one.actor_id === other.actor_id &&
  one.target_kind === other.target_kind &&
  one.result === 'success' &&
  other.result === 'success'

interface Group {
  newest: EntryRow
  count: number
  /** Further entries, which were not read, may belong to the group. */
  isMore?: boolean
}

/** Groups changes that a user made in succession; each group is shown as one. */
function groupsOf(rows: readonly EntryRow[]): Group[] {
  const groups: Group[] = []
  for (const row of rows) {
    const last = groups.at(-1)
    if (last && isAlike(last.newest, row)) last.count++
    else groups.push({ newest: row, count: 1 })
  }
  const last = groups.at(-1)
  if (last && last.count > 1 && rows.length === ROWS_READ) last.isMore = true
  return groups
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
  const changes = groupsOf(
    await entriesSince(database, log, from)
      .where('operation_id', 'not in', [...untoldOperations])
      .selectAll()
      .orderBy('time_completed', 'desc')
      .orderBy('id', 'desc')
      .limit(ROWS_READ)
      .execute(),
  )
  return {
    hours: hours.map(({ hour, ...counted }) => ({ time_begun: timeOf(hour), ...counted })),
    changes: changes.slice(0, TIMELINE_SHOWN).map(({ newest, count, isMore }) => ({
      ...toWireHistoryEntry(actor, newest),
      sentence: sentenceOf(newest, { count, isMore }),
      count,
    })),
  }
}

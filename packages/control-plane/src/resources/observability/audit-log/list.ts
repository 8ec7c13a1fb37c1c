/** Reads the audit log: by time, and by actor, operation and target. */
import type { AuditResult } from '@steading/api/rules'
import { type Expression, type Selectable, sql, type SqlBool } from 'kysely'
import { timeOfEntry } from '../../../kernel/audit/entry-id.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import type { Db, Dialect, OpenDatabase } from '../../../kernel/db/database.ts'
import type { AuditLogTable } from '../../../kernel/db/schema.ts'

export type EntryRow = Selectable<AuditLogTable>

export interface Filters {
  /** RFC 3339; the start belongs to the range, the end does not. */
  start_time?: string
  end_time?: string | null
  /** Only entries of this silo. */
  silo?: string
  user?: string
  operation?: string
  result?: AuditResult
  target?: string
  search?: string
  /** Without the items of jobs. */
  outsideJobs?: true
  /** Only entries of this project. */
  projectId?: string
  /** A further condition, which no index serves. */
  visible?: Expression<SqlBool>
}

/** A position in the log. */
export interface LogPosition {
  time: string
  id: string
}

export interface Wanted extends Filters {
  /** The silo whose log is read; the fleet's if undefined. */
  siloId?: string
  after?: LogPosition
  descending: boolean
  limit: number
}

/** Rows per statement when a text is searched; other calls have their turn in between. */
const SLICE = 10_000

/** The times of rows are to the millisecond in UTC, and compared as text. */
const timeOf = (time: string): string => new Date(time).toISOString()

/** A text of times, rounded up: a range that begins within a millisecond excludes it. */
function roundedUp(time: string): string {
  const rounded = timeOf(time)
  const fraction = /\.(\d+)/.exec(time)?.[1] ?? ''
  if (/^\d{0,3}0*$/.test(fraction)) return rounded
  return new Date(Date.parse(rounded) + 1).toISOString()
}

const searched = ['target_name', 'operation_id', 'request_id', 'error_message'] as const
/** Searched only if the reader may see these values: not those of users of another silo. */
const searchedOfUsers = ['actor_name', 'source_ip', 'user_agent'] as const

/** The entries of a range, along the index for the filters. */
function rangeOf(
  db: Db,
  { siloId, silo = siloId, projectId, user, target, after, descending, ...wanted }: Wanted,
) {
  const direction = descending ? 'desc' : 'asc'
  const comes = sql.raw(descending ? '<' : '>')
  let rows = db
    .selectFrom('audit_log')
    .orderBy('time_completed', direction)
    .orderBy('id', direction)
  if (silo !== undefined) rows = rows.where('silo_id', '=', silo)
  if (silo !== siloId && siloId !== undefined) rows = rows.where('silo_id', '=', siloId)
  if (projectId !== undefined) rows = rows.where('project_id', '=', projectId)
  if (user !== undefined) rows = rows.where('actor_id', '=', user)
  if (user !== undefined && siloId !== undefined) rows = rows.where('actor_silo_id', '=', siloId)
  if (target !== undefined) rows = rows.where('target_id', '=', target)
  if (wanted.start_time) rows = rows.where('time_completed', '>=', roundedUp(wanted.start_time))
  if (wanted.end_time) rows = rows.where('time_completed', '<', roundedUp(wanted.end_time))
  if (after)
    rows = rows.where(sql<boolean>`(time_completed, id) ${comes} (${after.time}, ${after.id})`)
  return rows
}

/** True of entries that contain a text anywhere; SQLite compares case-insensitively by itself. */
function contains(text: string, siloId: string | undefined, dialect: Dialect) {
  const like = pattern(text)
  const has = (column: string) => {
    const value = dialect === 'sqlite' ? sql.ref(column) : sql`lower(${sql.ref(column)})`
    return sql`${value} like ${like} escape '\\'`
  }
  const anyOf = (columns: readonly string[]) => sql.join(columns.map(has), sql` or `)
  const named =
    siloId === undefined ? sql`true` : sql`(actor_silo_id is null or actor_silo_id = ${siloId})`
  return sql<boolean>`(${anyOf(searched)} or (${named} and (${anyOf(searchedOfUsers)})))`
}

const pattern = (text: string) => `%${text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`

/**
 * A page of entries. Conditions without an index are searched for in slices, so that no statement
 * holds up other calls for long.
 */
export async function readEntries(
  { db, dialect }: Pick<OpenDatabase, 'db' | 'dialect'>,
  wanted: Wanted,
): Promise<EntryRow[]> {
  const { operation, result, search, outsideJobs, visible, limit } = wanted
  const sifts =
    operation !== undefined ||
    result !== undefined ||
    outsideJobs ||
    visible !== undefined ||
    Boolean(search)
  if (!sifts) return rangeOf(db, wanted).selectAll().limit(limit).execute()
  const found: EntryRow[] = []
  let { after } = wanted
  for (;;) {
    const rest = rangeOf(db, { ...wanted, after })
    const last = await rest
      .select(['time_completed', 'id'])
      .limit(1)
      .offset(SLICE - 1)
      .executeTakeFirst()
    let rows = rest
    if (last) {
      const until = sql.raw(wanted.descending ? '>=' : '<=')
      const end = sql`(${last.time_completed}, ${last.id})`
      rows = rows.where(sql<boolean>`(time_completed, id) ${until} ${end}`)
    }
    if (operation !== undefined) rows = rows.where('operation_id', '=', operation)
    if (result !== undefined) rows = rows.where('result', '=', result)
    if (visible !== undefined) rows = rows.where(visible)
    if (outsideJobs) rows = rows.where('job_id', 'is', null)
    if (search) rows = rows.where(contains(search, wanted.siloId, dialect))
    const room = limit - found.length
    found.push(...(await rows.selectAll().limit(room).execute()))
    if (!last || found.length >= limit) return found
    after = { time: last.time_completed, id: last.id }
    await yieldToEventLoop()
  }
}

export const readEntry = (db: Db, id: string): Promise<EntryRow | undefined> =>
  db
    .selectFrom('audit_log')
    .selectAll()
    .where('time_completed', '=', timeOfEntry(id).toISOString())
    .where('id', '=', id)
    .executeTakeFirst()

/** The entries about a resource, as their target or otherwise. */
export async function readHistory(
  database: Pick<OpenDatabase, 'db' | 'dialect'>,
  thingId: string,
  { after, descending, limit }: Pick<Wanted, 'after' | 'descending' | 'limit'>,
): Promise<EntryRow[]> {
  const { db } = database
  const direct = await readEntries(database, { target: thingId, after, descending, limit })
  const direction = descending ? 'desc' : 'asc'
  const comes = sql.raw(descending ? '<' : '>')
  let related = db
    .selectFrom('audit_log_thing as its')
    .innerJoin('audit_log', (join) =>
      join
        .onRef('audit_log.time_completed', '=', 'its.time_completed')
        .onRef('audit_log.id', '=', 'its.entry_id'),
    )
    .selectAll('audit_log')
    .where('its.thing_id', '=', thingId)
    .orderBy('its.time_completed', direction)
    .orderBy('its.entry_id', direction)
    .limit(limit)
  if (after) {
    related = related.where(
      sql<boolean>`(its.time_completed, its.entry_id) ${comes} (${after.time}, ${after.id})`,
    )
  }
  const sign = descending ? -1 : 1
  const key = ({ time_completed, id }: EntryRow) => `${time_completed} ${id}`
  return [...direct, ...(await related.execute())]
    .toSorted((a, b) => (key(a) < key(b) ? -sign : sign))
    .slice(0, limit)
}

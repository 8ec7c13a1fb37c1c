/** Reading the audit log: by time, and by who, what and where. */
import type { AuditResult } from '@steading/api/rules'
import { type Selectable, sql } from 'kysely'
import { breathe } from '../../kernel/breathe.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { AuditLogTable } from '../../kernel/db/schema.ts'

export type EntryRow = Selectable<AuditLogTable>

export interface Filters {
  /** RFC 3339; the start belongs to the range, the end does not. */
  start_time?: string
  end_time?: string | null
  /** Only what was done in this silo. */
  silo?: string
  user?: string
  operation?: string
  result?: AuditResult
  target?: string
  search?: string
}

/** A place in the log. */
export interface Place {
  time: string
  id: string
}

export interface Wanted extends Filters {
  /** The log of one silo; without it, of the fleet. */
  siloId?: string
  after?: Place
  descending: boolean
  limit: number
}

/** Rows that are looked at by one statement when a text is searched; other calls come in between. */
const SLICE = 4_000

/** The times of rows are to the millisecond in UTC, and compared as text. */
const timeOf = (time: string): string => new Date(time).toISOString()

/** A text of times, rounded up: a range that begins within a millisecond leaves that one out. */
function roundedUp(time: string): string {
  const rounded = timeOf(time)
  const fraction = /\.(\d+)/.exec(time)?.[1] ?? ''
  if (/^\d{0,3}0*$/.test(fraction)) return rounded
  return new Date(Date.parse(rounded) + 1).toISOString()
}

const searched = ['target_name', 'operation_id', 'request_id', 'error_message'] as const
/** Searched only if the reader is told of them: not those of users of another silo. */
const searchedOfUsers = ['actor_name', 'source_ip', 'user_agent'] as const

/** The entries of a range, along the index of what is asked for. */
function rangeOf(
  db: Db,
  { siloId, silo = siloId, user, target, after, descending, ...wanted }: Wanted,
) {
  const direction = descending ? 'desc' : 'asc'
  const comes = sql.raw(descending ? '<' : '>')
  let rows = db
    .selectFrom('audit_log')
    .orderBy('time_completed', direction)
    .orderBy('id', direction)
  if (silo !== undefined) rows = rows.where('silo_id', '=', silo)
  if (silo !== siloId && siloId !== undefined) rows = rows.where('silo_id', '=', siloId)
  if (user !== undefined) rows = rows.where('actor_id', '=', user)
  if (user !== undefined && siloId !== undefined) rows = rows.where('actor_silo_id', '=', siloId)
  if (target !== undefined) rows = rows.where('target_id', '=', target)
  if (wanted.start_time) rows = rows.where('time_completed', '>=', roundedUp(wanted.start_time))
  if (wanted.end_time) rows = rows.where('time_completed', '<', roundedUp(wanted.end_time))
  if (after)
    rows = rows.where(sql<boolean>`(time_completed, id) ${comes} (${after.time}, ${after.id})`)
  return rows
}

/** True of entries that have a text somewhere. */
function contains(text: string, siloId: string | undefined) {
  const like = pattern(text)
  const anyOf = (columns: readonly string[]) =>
    sql.join(
      columns.map((column) => sql`lower(${sql.ref(column)}) like ${like} escape '\\'`),
      sql` or `,
    )
  const told =
    siloId === undefined ? sql`true` : sql`(actor_silo_id is null or actor_silo_id = ${siloId})`
  return sql<boolean>`(${anyOf(searched)} or (${told} and (${anyOf(searchedOfUsers)})))`
}

const pattern = (text: string) => `%${text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`

/**
 * A page of entries. What an index does not answer is looked for in slices, so that no statement
 * holds up other calls for long.
 */
export async function readEntries(db: Db, wanted: Wanted): Promise<EntryRow[]> {
  const { operation, result, search, limit } = wanted
  const sifts = operation !== undefined || result !== undefined || Boolean(search)
  if (!sifts) return rangeOf(db, wanted).selectAll().limit(limit).execute()
  const found: EntryRow[] = []
  let { after } = wanted
  for (;;) {
    const slice = rangeOf(db, { ...wanted, after }).select(['time_completed', 'id'])
    const last = await db
      .selectFrom(slice.limit(SLICE).as('slice'))
      .selectAll()
      .orderBy('time_completed', wanted.descending ? 'asc' : 'desc')
      .orderBy('id', wanted.descending ? 'asc' : 'desc')
      .limit(1)
      .executeTakeFirst()
    if (!last) return found
    const until = wanted.descending ? '>=' : '<='
    let rows = rangeOf(db, { ...wanted, after }).where(
      sql<boolean>`(time_completed, id) ${sql.raw(until)} (${last.time_completed}, ${last.id})`,
    )
    if (operation !== undefined) rows = rows.where('operation_id', '=', operation)
    if (result !== undefined) rows = rows.where('result', '=', result)
    if (search) rows = rows.where(contains(search, wanted.siloId))
    found.push(
      ...(await rows
        .selectAll()
        .limit(limit - found.length)
        .execute()),
    )
    if (found.length >= limit) return found
    after = { time: last.time_completed, id: last.id }
    await breathe()
  }
}

/** The entries about a thing, whether as their target or besides it. */
export async function readHistory(
  db: Db,
  thingId: string,
  { after, descending, limit }: Pick<Wanted, 'after' | 'descending' | 'limit'>,
): Promise<EntryRow[]> {
  const direct = await readEntries(db, { target: thingId, after, descending, limit })
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

import { sql } from 'kysely'
import { yieldToEventLoop } from './kernel/event-loop.ts'
import type { Db } from './kernel/db/database.ts'
import { isLive, references } from './kernel/db/references.ts'
import { markedTables, storedTables, type TableName, tablesAbout } from './kernel/db/tables.ts'
import { anyRowsOf } from './kernel/kinds.ts'
import { isKept } from './resources/workspace/deleted-resources/keep.ts'
import type { ListedKind } from '@steading/api/rules'

/** Rows removed per transaction. */
const PIECE = 200

/** Whether a row called `other` is live, or deleted but kept to be restored. */
const isNeeded = (table: TableName) =>
  storedTables().get(table)?.marked
    ? sql<boolean>`(${isLive(table, 'other')} or ${isKept('other.id')})`
    : isLive(table, 'other')

/**
 * Removes some rows of a table.
 * @returns the number of removed rows
 */
async function purgeSome(db: Db, table: TableName, before: string): Promise<number> {
  const unfinished = storedTables().get(table)?.unfinished ?? 'false'
  const kept = references()
    .filter(({ to, kind }) => to === table && kind === 'origin')
    .map(
      (reference) =>
        sql<boolean>`exists (select 1 from ${sql.table(reference.table)} as other
          where other.${sql.ref(reference.column)} = its.id
            and ${isNeeded(reference.table)})`,
    )
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where id in (
      select id from ${sql.table(table)} as its
      where time_deleted < ${before}
        and not (${sql.raw(unfinished)})
        and not (${sql.join([sql`false`, ...kept], sql` or `)})
      limit ${PIECE})`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/**
 * Removes some rows that are part of deleted resources.
 * @returns the number of removed rows
 */
async function purgeParts(db: Db, table: TableName, column: string, to: TableName) {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ${sql.ref(column)} in (
      select ${sql.ref(`its.${column}`)} from ${sql.table(table)} as its
      where ${sql.ref(`its.${column}`)} is not null and not exists (
        select 1 from ${sql.table(to)} as other
        where other.id = ${sql.ref(`its.${column}`)}
          and ${isNeeded(to)})
      limit ${PIECE})`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Rows about resources that are looked at per query. */
const LOOKED_AT = 500

/**
 * Removes the rows of a table about resources that ended without an event of their own: in a
 * deleted silo, or by a purge.
 */
async function purgeAbout(db: Db, about: TableName, column: string, isActive: () => boolean) {
  for (let last = ''; isActive();) {
    const { rows } = await sql<{ id: string; kind: ListedKind }>`
      select distinct ${sql.ref(column)} as id, kind from ${sql.table(about)}
      where ${sql.ref(column)} > ${last} order by ${sql.ref(column)} limit ${LOOKED_AT}`.execute(db)
    for (const [kind, some] of Map.groupBy(rows, (row) => row.kind)) {
      const ids = some.map(({ id }) => id)
      const found = await anyRowsOf(db, kind).select('its.id').where('its.id', 'in', ids).execute()
      const alive = new Set(found.map(({ id }) => id))
      const gone = ids.filter((id) => !alive.has(id))
      if (gone.length === 0) continue
      await sql`delete from ${sql.table(about)}
        where kind = ${kind} and ${sql.ref(column)} in (${sql.join(gone)})`.execute(db)
    }
    if (rows.length < LOOKED_AT) return
    last = rows.at(-1)!.id
    await yieldToEventLoop()
  }
}

/**
 * Removes the rows of resources deleted before a time, in small transactions. Rows that live rows
 * refer to stay as long as those: a snapshot whose bytes images share, the disk of a snapshot.
 * Parts of deleted resources go first.
 * @param before RFC 3339
 * @param isActive called between transactions; false ends the work
 */
export async function purgeDeleted(db: Db, before: string, isActive: () => boolean): Promise<void> {
  for (const { table, column, to } of references().filter(({ kind }) => kind === 'part')) {
    while (isActive() && (await purgeParts(db, table, column, to)) > 0) await yieldToEventLoop()
  }
  for (const { table, column } of tablesAbout()) await purgeAbout(db, table, column, isActive)
  for (const table of markedTables()) {
    while (isActive() && (await purgeSome(db, table, before)) === PIECE) await yieldToEventLoop()
  }
}

/** Removes old entries of the audit log in small transactions. */
export async function purgeAuditLog(
  db: Db,
  before: string,
  isActive: () => boolean,
): Promise<void> {
  for (const [table, id] of [
    ['audit_log_thing', 'entry_id'],
    ['audit_log', 'id'],
  ] as const) {
    for (let more = true; more && isActive();) {
      const { numAffectedRows } = await sql`
        delete from ${sql.table(table)} where (time_completed, ${sql.ref(id)}) in (
          select time_completed, ${sql.ref(id)} from ${sql.table(table)}
          where time_completed < ${before}
          order by time_completed limit ${PIECE})`.execute(db)
      more = Number(numAffectedRows ?? 0) >= PIECE
      await yieldToEventLoop()
    }
  }
}

/**
 * Removes old events in small transactions; the newest one stays, because it may be the last event
 * that a follower received.
 */
export async function purgeEvents(db: Db, before: string, isActive: () => boolean): Promise<void> {
  for (let more = true; more && isActive();) {
    const { numAffectedRows } = await sql`
      delete from event where id in (
        select id from event where time < ${before} and id < (select max(id) from event)
        limit ${PIECE})`.execute(db)
    more = Number(numAffectedRows ?? 0) === PIECE
    await yieldToEventLoop()
  }
}

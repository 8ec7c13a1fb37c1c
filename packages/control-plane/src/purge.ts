import { sql } from 'kysely'
import { breathe } from './kernel/breathe.ts'
import type { Db } from './kernel/db/database.ts'
import { isLive, markedTables, references } from './kernel/db/references.ts'

/** Rows removed at once; each piece is a short transaction of its own. */
const PIECE = 200

/** What has to be over before the row of a deleted thing can go. */
const unfinished: Partial<Record<(typeof markedTables)[number], string>> = {
  instance: 'vm_id is not null or reconcile_at is not null or lease_until is not null',
  disk: 'has_volume = 1 or reconcile_at is not null or lease_until is not null',
  snapshot: 'has_volume = 1 or reconcile_at is not null or lease_until is not null',
}

/** Removes some rows of a table. @returns how many there were */
async function purgeSome(
  db: Db,
  table: (typeof markedTables)[number],
  before: string,
): Promise<number> {
  const kept = references
    .filter(({ to, kind }) => to === table && kind === 'origin')
    .map(
      (reference) =>
        sql<boolean>`exists (select 1 from ${sql.table(reference.table)} as other
          where other.${sql.ref(reference.column)} = its.id and ${isLive(reference.table, 'other')})`,
    )
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where id in (
      select id from ${sql.table(table)} as its
      where time_deleted < ${before}
        and not (${sql.raw(unfinished[table] ?? 'false')})
        and not (${sql.join([sql`false`, ...kept], sql` or `)})
      limit ${PIECE})`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/**
 * Removes the rows of things that were deleted before a time, in small pieces. What live rows still
 * name stays until those are gone: a snapshot that images share, the disk of a snapshot.
 * @param before RFC 3339
 * @param goesOn asked between pieces
 */
export async function purgeDeleted(db: Db, before: string, goesOn: () => boolean): Promise<void> {
  for (const table of markedTables) {
    while (goesOn() && (await purgeSome(db, table, before)) === PIECE) await breathe()
  }
}

/** Removes old events in small pieces; the newest one stays, as a follower may have had it last. */
export async function purgeEvents(db: Db, before: string, goesOn: () => boolean): Promise<void> {
  for (let more = true; more && goesOn();) {
    const { numAffectedRows } = await sql`
      delete from event where id in (
        select id from event where time < ${before} and id < (select max(id) from event)
        limit ${PIECE})`.execute(db)
    more = Number(numAffectedRows ?? 0) === PIECE
    await breathe()
  }
}

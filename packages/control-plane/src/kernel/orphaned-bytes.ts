import { sql } from 'kysely'
import { yieldToEventLoop } from './event-loop.ts'
import type { Db } from './db/database.ts'
import { storedKinds } from './kinds.ts'

/** A row that is live, or that the reconciler has not finished: its bytes are not orphaned. */
export const stillOwnsBytes = sql<boolean>`(time_deleted is null or reconcile_at is not null or lease_until is not null)`

/** The ids, of those given, that belong to a row with a volume. */
export async function volumesWithOwner(db: Db, some: string[]): Promise<{ id: string }[]> {
  const owned: { id: string }[] = []
  for (const { volumes = [] } of storedKinds()) {
    for (const owners of volumes) owned.push(...(await owners(db, some).execute()))
  }
  return owned
}

/** Ids per query. */
const PAGE = 100

/**
 * Deletes bytes that belong to no row, left behind by an interrupted step.
 * @param ids the ids that the engine has. They are read before the rows: a row is written before
 *   its bytes, and removed after them
 * @param owners finds the ids, of those given, that belong to a row
 */
export async function deleteOrphanedBytes(
  ids: string[],
  owners: (some: string[]) => Promise<{ id: string }[]>,
  remove: (id: string) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < ids.length; at += PAGE) {
    const some = ids.slice(at, at + PAGE)
    const owned = new Set((await owners(some)).map(({ id }) => id))
    for (const id of some) if (!owned.has(id)) await remove(id)
    await yieldToEventLoop()
  }
}

/**
 * Fences of the engines. Every claim of a row has a higher token than the one before, and passes it
 * with each action. An engine admits no action with a lower token than the highest it has seen for
 * the same machine or volume, so a step that has lost its claim acts no more.
 */
import type { Db, Dialect } from './database.ts'
import { databaseNow, databaseTime } from './leases.ts'
import { unsynced } from './unsynced.ts'

/** How long tokens are kept after the last action; no step hangs longer. Milliseconds. */
const FENCE_KEPT_MS = 24 * 60 * 60 * 1000

/** A newer step has acted on the same machine or volume. */
export class StaleFence extends Error {
  constructor(id: string, fence: number) {
    super(`step ${fence} of ${id} was overtaken by a newer one`)
  }
}

/**
 * Admits an action on a machine or a volume, and shuts out steps with a lower token.
 * @param id of the machine or volume; the tokens of an id come from the claims of one row
 * @param fence undefined for actions that no claim stands behind, which are always admitted
 * @throws StaleFence
 */
export async function admit(
  { db, dialect }: { db: Db; dialect: Dialect },
  id: string,
  fence: number | undefined,
): Promise<void> {
  if (fence === undefined) return
  const time_seen = databaseNow(dialect)
  const admitted = await db
    .insertInto('engine_fence')
    .values({ id, fence, time_seen })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ fence, time_seen })
        .where('engine_fence.fence', '<=', fence),
    )
    .returning('id')
    // After a power failure no step is left that could be stale.
    .modifyEnd(unsynced)
    .executeTakeFirst()
  if (!admitted) throw new StaleFence(id, fence)
}

/** Removes tokens that no step can be too late for any more. */
export async function purgeFences({ db, dialect }: { db: Db; dialect: Dialect }): Promise<void> {
  await db
    .deleteFrom('engine_fence')
    .where('time_seen', '<', databaseTime(dialect, -FENCE_KEPT_MS))
    .execute()
}

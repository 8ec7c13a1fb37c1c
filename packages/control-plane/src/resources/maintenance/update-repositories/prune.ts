import { prunedVersions } from '@steading/api/rules'
import { rowsOf } from '../../../kernel/kinds.ts'
import type { ControlPlaneServices } from '../../../kernel/services.ts'
import { writingIn } from '../../../kernel/work.ts'

/**
 * Removes old releases from the lists, and deletes their archives to free space. Their rows stay,
 * to identify installed software.
 */
export async function pruneReleases({
  database,
  clock,
  volumes,
}: Pick<ControlPlaneServices, 'database' | 'clock' | 'volumes'>): Promise<void> {
  const pruned = await database.transaction(async (db) => {
    const { version, previous_repository_id } = await db
      .selectFrom('system_update')
      .select(['version', 'previous_repository_id'])
      .executeTakeFirstOrThrow()
    if (version === null) return []
    const releases = await rowsOf(db, 'update_repository').selectAll('its').execute()
    const names = new Set(
      prunedVersions(
        releases.map(({ name }) => name),
        version,
      ),
    )
    const old = releases.filter(({ id, name }) => names.has(name) && id !== previous_repository_id)
    if (old.length === 0) return []
    const now = clock()
    const ids = old.map(({ id }) => id)
    await db
      .updateTable('update_repository')
      .set({ time_pruned: now.toISOString() })
      .where('id', 'in', ids)
      .execute()
    const { emit } = writingIn(db, now)
    for (const release of old) await emit('update_repository', 'delete', release)
    return ids
  })
  for (const id of pruned) await volumes.delete(id)
}

import { FLEET_ID } from '@steading/api/rules'
import { requireFreeName } from '../../../kernel/lookup.ts'
import { named } from '../../../kernel/search/name-key.ts'
import type { Writing } from '../../../kernel/work.ts'
import { type PoolKind, poolsTable, emitPoolEvents } from './links.ts'

interface Changes {
  name?: string | null
  description?: string | null
}

/**
 * Changes the name or description of a pool.
 * @throws ApiError 400 for a name that another pool of its kind has
 */
export async function updatePool<Pool extends { id: string; name: string; description: string }>(
  writing: Writing,
  pools: PoolKind,
  pool: Pool,
  changes: Changes,
): Promise<Pool> {
  const { db, now } = writing
  const name = changes.name ?? pool.name
  if (name !== pool.name) await requireFreeName(db, pools.kind, FLEET_ID, name)
  const written = {
    ...named(name),
    description: changes.description ?? pool.description,
    time_modified: now.toISOString(),
  }
  await db.updateTable(poolsTable(pools)).set(written).where('id', '=', pool.id).execute()
  const updated = { ...pool, ...written }
  await emitPoolEvents(writing, pools, updated, 'update')
  return updated
}

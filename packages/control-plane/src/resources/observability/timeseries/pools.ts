import type { FieldValue, Sample } from '@steading/oxql'
import type { Db } from '../../../kernel/db/database.ts'
import { rowsOf } from '../../../kernel/kinds.ts'

/**
 * Each series of `zfs_pool` names a sled, and a pool in a file system is none's: all hosts see it. So
 * the fields of the sled are empty, and the pool has one series, not one per host.
 */
const NO_SLED = {
  rack_id: '00000000-0000-0000-0000-000000000000',
  sled_id: '00000000-0000-0000-0000-000000000000',
  sled_model: '',
  sled_revision: 0,
  sled_serial: '',
} satisfies Record<string, FieldValue>

/**
 * The room in storage pools, of which the sizes of disks are allocated. Physical disks are pools of
 * their own, which the engine measures. Nothing is known of a pool out of reach.
 */
export async function poolSamples(db: Db, at: number): Promise<Sample[]> {
  const pools = await rowsOf(db, 'storage_pool')
    .select(['its.id', 'its.name', 'its.used', 'its.size'])
    .where('its.type', '<>', 'physical_disks')
    .where('its.state', '=', 'healthy')
    .execute()
  return pools.flatMap(({ id, name, used, size }) =>
    Object.entries({ bytes_allocated: used, bytes_total: size }).map(([metric, datum]) => ({
      name: `zfs_pool:${metric}`,
      // It holds disks of instances.
      fields: { ...NO_SLED, pool_id: id, pool_kind: 'external', pool_name: name },
      timestamp: at,
      datum,
    })),
  )
}

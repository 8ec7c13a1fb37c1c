import type { Wire } from '@steading/api'
import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { identityOf } from '../../../kernel/identity.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { pick } from '../../../kernel/pick.ts'

/** Pool id → its disks, and their sizes; those on physical disks are under the empty id. */
async function countDisks(db: Db): Promise<Map<string, { count: number; bytes: number }>> {
  const sizes = sql<number | string>`sum(case when read_only = 0 then size else 0 end)`
  const rows = await db
    .selectFrom('disk')
    .select((eb) => [
      'storage_pool_id',
      eb.fn.countAll<number | string>().as('count'),
      sizes.as('bytes'),
    ])
    .where('time_deleted', 'is', null)
    .groupBy('storage_pool_id')
    .execute()
  return new Map(
    rows.map((row) => [
      row.storage_pool_id ?? '',
      { count: Number(row.count), bytes: Number(row.bytes) },
    ]),
  )
}

/** The disks of a pool. Physical disks are counted at each look only, for sorting. */
function usageOf(
  { id, type, used }: Row<'storage_pool'>,
  disks: Awaited<ReturnType<typeof countDisks>>,
): Pick<Wire.StoragePool, 'provisioned' | 'disks'> {
  const isPhysical = type === 'physical_disks'
  const found = disks.get(isPhysical ? '' : id)
  return { provisioned: isPhysical ? (found?.bytes ?? 0) : used, disks: found?.count ?? 0 }
}

/** Pools with their disks and hosts. */
export async function toWireStoragePools(
  rows: Row<'storage_pool'>[],
  { db }: { db: Db },
): Promise<Wire.StoragePool[]> {
  if (rows.length === 0) return []
  const disks = await countDisks(db)
  const ids = rows.map(({ id }) => id)
  const hosts = await db
    .selectFrom('storage_pool_host')
    .selectAll()
    .where('storage_pool_id', 'in', ids)
    .orderBy('serial')
    .execute()
  return rows.map((row) => ({
    ...identityOf(row),
    ...pick(row, 'type', 'path', 'source', 'state', 'problem', 'free', 'time_checked'),
    size: row.size === 0 ? null : row.size,
    built_in: row.built_in === 1,
    is_default: row.is_default === 1,
    ...usageOf(row, disks),
    hosts: hosts
      .filter(({ storage_pool_id: id }) => id === row.id)
      .map(({ serial, problem }) => ({ serial, problem })),
  }))
}

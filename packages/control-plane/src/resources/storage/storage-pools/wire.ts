import type { Wire } from '@steading/api'
import type { Db } from '../../../kernel/db/database.ts'
import { identityOf } from '../../../kernel/identity.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { pick } from '../../../kernel/pick.ts'

/** Pool id → number of its disks; that of disks on physical disks is under the empty id. */
async function countDisks(db: Db): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('disk')
    .select((eb) => ['storage_pool_id', eb.fn.countAll<number | string>().as('count')])
    .where('time_deleted', 'is', null)
    .groupBy('storage_pool_id')
    .execute()
  return new Map(rows.map((row) => [row.storage_pool_id ?? '', Number(row.count)]))
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
    ...pick(row, 'type', 'path', 'state', 'problem', 'free', 'time_checked'),
    size: row.size === 0 ? null : row.size,
    built_in: row.built_in === 1,
    is_default: row.is_default === 1,
    provisioned: row.used,
    disks: disks.get(row.type === 'physical_disks' ? '' : row.id) ?? 0,
    hosts: hosts
      .filter(({ storage_pool_id: id }) => id === row.id)
      .map(({ serial, problem }) => ({ serial, problem })),
  }))
}

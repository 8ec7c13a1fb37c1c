/** The part of an overview that compares what is provisioned with its limits. */
import type { Wire } from '@steading/api'
import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { sumOf } from '../../../kernel/db/rows.ts'
import type { Row } from '../../../kernel/kinds.ts'

/** Quotas of the silo; `of` is the silo itself or one of its projects. */
export const capacityOf = (
  of: Pick<Row<'project'>, 'used_cpus' | 'used_memory' | 'used_storage'>,
  silo: Row<'silo'>,
): Wire.OverviewCapacity => {
  const amount = (resource: 'cpus' | 'memory' | 'storage') => ({
    provisioned: of[`used_${resource}`],
    limit: silo[`quota_${resource}`],
    used: silo[`used_${resource}`],
  })
  return { cpus: amount('cpus'), memory: amount('memory'), storage: amount('storage') }
}

/** @param replicas the replicas that the engine keeps of each disk */
export async function capacityOfFleet(db: Db, replicas: number): Promise<Wire.OverviewCapacity> {
  const sum = (column: string) => sql<number | string>`coalesce(sum(${sql.ref(column)}), 0)`
  const used = await db
    .selectFrom('silo')
    .select([
      sum('used_cpus').as('cpus'),
      sum('used_memory').as('memory'),
      sum('used_storage').as('storage'),
    ])
    .where('time_deleted', 'is', null)
    .executeTakeFirstOrThrow()
  const sleds = await db
    .selectFrom('sled')
    .select([sum('usable_hardware_threads').as('cpus'), sum('usable_physical_ram').as('memory')])
    .where('policy', '=', 'in_service')
    .executeTakeFirstOrThrow()
  const disks = await db
    .selectFrom('physical_disk')
    .select(sum('size').as('storage'))
    .where('policy', '=', 'in_service')
    .where('form_factor', '=', 'u2')
    .executeTakeFirstOrThrow()
  const directories = await sumOf(
    db
      .selectFrom('storage_pool')
      .where('type', '<>', 'physical_disks')
      .where('time_deleted', 'is', null),
    'size',
  )
  const amount = (provisioned: number | string, limit: number | string) => ({
    provisioned: Number(provisioned),
    limit: Math.floor(Number(limit)),
    used: Number(provisioned),
  })
  return {
    cpus: amount(used.cpus, sleds.cpus),
    memory: amount(used.memory, sleds.memory),
    // Each storage pool counts once, however many hosts reach it.
    storage: amount(used.storage, Number(disks.storage) / Math.max(1, replicas) + directories),
  }
}

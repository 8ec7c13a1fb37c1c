import { type SubnetPoolFilling, subnetPoolMessages } from '@steading/api/rules'
import { sql } from 'kysely'
import type { Row, StoredKind } from '../../../kernel/kinds.ts'
import { oneOf } from '../../../kernel/search/filters.ts'
import { described, searchOf, usualSorts } from '../../../kernel/search/search.ts'
import { stepOn } from '../../../kernel/step-on.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Writing } from '../../../kernel/work.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import { linkedSilos, partsOfPool } from '../pools/relations.ts'
import { addressesInside } from '../pools/handles.ts'
import { toWireRemaining } from '../pools/utilization.ts'
import { removeLinks, emitPoolEvents } from '../pools/links.ts'
import { subnetPools } from './links.ts'
import { removeMembers, membersOf } from './members.ts'
import { subnetPoolUses } from './utilization.ts'
import { toWireSubnetPool } from './wire.ts'
import { subnetPoolTables } from './table.ts'

declare module '../../../kernel/kinds.ts' {
  interface SharedTables {
    system_subnet_pool: 'subnet_pool'
  }
}

/** @throws ApiError 400 while it has members */
export async function deleteSubnetPool(
  writing: Writing,
  pool: Row<'system_subnet_pool'>,
): Promise<void> {
  const { db, now } = writing
  const member = await db
    .selectFrom('subnet_pool_member')
    .select('id')
    .where('subnet_pool_id', '=', pool.id)
    .limit(1)
    .executeTakeFirst()
  if (member) throw fail.invalidRequest(subnetPoolMessages.hasMembers)
  await emitPoolEvents(writing, subnetPools, pool, 'delete')
  await removeLinks(db, subnetPools, pool.id)
  await changeRow(db, 'subnet_pool', pool.id, { time_deleted: now.toISOString() })
}

export const subnet_pool: StoredKind<'subnet_pool'> = {
  tables: subnetPoolTables,
  live: 'time_deleted is null',
  // Callers see only the pools linked to their silo.
  owned: ({ siloId }) =>
    sql<boolean>`its.id in (select subnet_pool_id from subnet_pool_silo_link where silo_id = ${siloId})`,
  blocks: 'subnet_pool_member',
}

export const system_subnet_pool: StoredKind<'system_subnet_pool'> = {
  table: 'subnet_pool',
  live: 'time_deleted is null',
  search: searchOf('system_subnet_pool_search', {
    searched: described,
    handles: [addressesInside('subnet_pool_member', 'subnet_pool_id')],
    sorts: usualSorts,
    filters: { version: oneOf('ip_version') },
    async toWire(rows: Row<'system_subnet_pool'>[], { db }) {
      const uses = await subnetPoolUses(db, rows)
      return rows.map((row) => ({
        ...toWireSubnetPool(row),
        utilization: toWireRemaining(uses.get(row.id)!),
      }))
    },
  }),
  steps: {
    delete: stepOn('system_subnet_pool', 'system_subnet_pool_delete', deleteSubnetPool),
    empty: stepOn('system_subnet_pool', 'system_subnet_pool_member_remove', removeMembers),
  },
  deletion: {
    columns: {},
    parts: ({ db }, { id }) =>
      partsOfPool('subnet_pool_member', membersOf(db, id), ({ subnet }) => subnet),
    state: sql<SubnetPoolFilling>`case
      when exists (select 1 from external_subnet where subnet_pool_id = its.id) then 'used'
      when exists (select 1 from subnet_pool_member where subnet_pool_id = its.id) then 'members'
      else 'empty' end`,
  },
  relations: [linkedSilos(subnetPools)],
}

import { ipPoolMessages, kinds } from '@steading/api/rules'
import { sql } from 'kysely'
import { fail } from '../../../kernel/errors.ts'
import { readLive } from '../../../kernel/kinds.ts'
import { attachDefaultPool } from '../internet-gateways/default-gateway.ts'
import type { PoolKind } from '../pools/links.ts'
import { addressHolders } from './holders.ts'
import './table.ts'

const resource = `${kinds.system_ip_pool.type}-resource`

const taken = ({ id }: { id: string }, siloId: string) =>
  fail.alreadyExists(resource, `ip_pool_id: ${id}, resource_id: ${siloId}, resource_type: Silo`)

/** The links of IP pools to silos. */
export const ipPools: PoolKind<'system_ip_pool'> = {
  kind: 'system_ip_pool',
  siloKind: 'ip_pool',
  links: 'ip_pool_silo_link',
  column: 'ip_pool_id',
  alike: ['ip_version', 'pool_type'],
  linkedAlready: taken,
  hasDefault: taken,
  notLinked: ({ id }, siloId) =>
    fail.notFoundById(resource, `ip_pool_id: ${id}, silo_id: ${siloId}`),
  async becameDefault(writing, { id }, siloId) {
    const pool = await readLive(writing.db, 'system_ip_pool', id)
    if (pool.pool_type === 'unicast') await attachDefaultPool(writing, siloId, pool)
  },
  async requireUnused(db, { id }, siloId) {
    for (const { table, inSilo } of addressHolders()) {
      const { rows } = await sql`
        select 1 from ${sql.table(table)} as its
        where its.ip_pool_id = ${id} and ${inSilo(siloId)} limit 1`.execute(db)
      if (rows.length > 0) throw fail.invalidRequest(ipPoolMessages.usedInSilo)
    }
  },
}

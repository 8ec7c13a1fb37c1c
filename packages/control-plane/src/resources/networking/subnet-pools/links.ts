import { subnetPoolMessages } from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'
import type { PoolKind } from '../pools/links.ts'
import './table.ts'

const type = 'subnet-pool-silo-link'
const linkOf = ({ id }: { id: string }, siloId: string) =>
  `subnet_pool_id: ${id}, silo_id: ${siloId}`

/** The links of subnet pools to silos. */
export const subnetPools: PoolKind<'system_subnet_pool'> = {
  kind: 'system_subnet_pool',
  siloKind: 'subnet_pool',
  links: 'subnet_pool_silo_link',
  column: 'subnet_pool_id',
  alike: ['ip_version'],
  linkedAlready: (pool, siloId) => fail.alreadyExists(type, linkOf(pool, siloId)),
  hasDefault: () => fail.invalidRequest(subnetPoolMessages.hasDefault),
  notLinked: (pool, siloId) => fail.notFoundById(type, linkOf(pool, siloId)),
  async requireUnused(db, { id }, siloId) {
    const used = await db
      .selectFrom('external_subnet')
      .innerJoin('project', 'project.id', 'external_subnet.project_id')
      .select('external_subnet.id')
      .where('subnet_pool_id', '=', id)
      .where('project.silo_id', '=', siloId)
      .limit(1)
      .executeTakeFirst()
    if (used) throw fail.invalidRequest(subnetPoolMessages.usedInSilo)
  },
}

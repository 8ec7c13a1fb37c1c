import { kinds, deletionSentences } from '@steading/api/rules'
import type { Wire } from '@steading/api'
import { sql } from 'kysely'
import type { Listed, SoftDeleted } from '../../../kernel/db/schema.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row, StoredKind } from '../../../kernel/kinds.ts'
import { identityOf } from '../../../kernel/identity.ts'
import { described, searchOf, text, usualSorts } from '../../../kernel/search/search.ts'
import { stepOn } from '../../../kernel/step-on.ts'
import { idsIn, countRowsBy } from '../../../kernel/db/rows.ts'
import { pick } from '../../../kernel/pick.ts'
import { deleteVpc } from './delete.ts'

export interface VpcTable extends Listed, SoftDeleted {
  project_id: string
  system_router_id: string
  ipv6_prefix: string
  dns_name: string
  /** Virtual network identifier, 24 bits. */
  vni: number
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    vpc: VpcTable
  }
}

export const toWireVpc = (row: Row<'vpc'>): Wire.Vpc => ({
  ...identityOf(row),
  ...pick(row, 'project_id', 'system_router_id', 'ipv6_prefix', 'dns_name'),
})

/** VPCs with the numbers of their firewall rules. */
export async function toWireListedVpcs(rows: Row<'vpc'>[], db: Db): Promise<Wire.ListedVpc[]> {
  if (rows.length === 0) return []
  const rules = db.selectFrom('vpc_firewall_rule').where('time_deleted', 'is', null)
  const counts = await countRowsBy(rules.where('vpc_id', 'in', idsIn(rows)), 'vpc_id')
  return rows.map((row) => ({ ...toWireVpc(row), firewall_rule_count: counts.get(row.id) ?? 0 }))
}

export const vpc: StoredKind<'vpc'> = {
  tables: {
    vpc: {
      marked: true,
      within: { project_id: 'project', system_router_id: 'vpc_router' },
      names: { vpc_name: kinds.vpc.type },
    },
  },
  live: 'time_deleted is null',
  search: searchOf('vpc_search', {
    searched: [...described, 'dns_name'],
    sorts: { ...usualSorts, dns_name: text('dns_name') },
    filters: {},
    toWire: (rows: Row<'vpc'>[], { db }) => toWireListedVpcs(rows, db),
  }),
  steps: {
    delete: stepOn('vpc', 'vpc_delete', deleteVpc),
  },
  restoration: {},
  deletion: { columns: { project_id: 'project_id' } },
  relations: [
    {
      owner: 'vpc',
      kind: 'vpc_firewall_rule',
      relation: 'goes',
      from: () => sql`(select * from vpc_firewall_rule where time_deleted is null)`,
      pairs: sql`select id, vpc_id as owner_id from vpc_firewall_rule`,
      reason: deletionSentences.partOfVpc,
    },
  ],
}

import { sql } from 'kysely'
import { deletionSentences } from '@steading/api/rules'
import { deleteVpc } from './delete.ts'
import type { Row, StoredKind } from '../../../kernel/kinds.ts'
import { described, searchOf, text, usualSorts } from '../../../kernel/search/search.ts'
import { stepOn } from '../../../kernel/step-on.ts'
import { toWireListedVpcs } from './wire.ts'
import { vpcTables } from './table.ts'

export const vpc: StoredKind<'vpc'> = {
  tables: vpcTables,
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

import { lookup } from '../../../kernel/lookup.ts'
import { step } from '../../../kernel/steps.ts'
import { deleteVpc } from './delete.ts'
import { kinds } from '@steading/api/rules'
import { storeTable } from '../../../kernel/db/tables.ts'
import type { VpcTable } from './table.ts'
import { type Row, storeKind } from '../../../kernel/kinds.ts'
import { described, searchOf, text, usualSorts } from '../../../kernel/search/search.ts'
import { viewListedVpcs } from './view.ts'
import './deletion.ts'

declare module '../../../kernel/kinds.ts' {
  interface KindTables {
    vpc: VpcTable
  }
}

storeTable('vpc', {
  marked: true,
  within: { project_id: 'project', system_router_id: 'vpc_router' },
  names: { vpc_name: kinds.vpc.type },
})

storeKind('vpc', {
  table: 'vpc',
  live: 'time_deleted is null',
  search: searchOf('vpc_search', {
    searched: [...described, 'dns_name'],
    sorts: { ...usualSorts, dns_name: text('dns_name') },
    filters: {},
    views: (rows: Row<'vpc'>[], { db }) => viewListedVpcs(rows, db),
  }),
  steps: {
    delete: step('vpc_delete', async (work, id) => deleteVpc(work, await lookup(work, 'vpc', id))),
  },
  deletion: { columns: { project_id: 'project_id' } },
})

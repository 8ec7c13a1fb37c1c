import { kinds } from '@steading/api/rules'
import { sql } from 'kysely'
import { storeTable } from '../../../kernel/db/tables.ts'
import { storeKind } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { idsOf, present } from '../../../kernel/search/filters.ts'
import { described, each, searchOf, text, usualSorts } from '../../../kernel/search/search.ts'
import { step } from '../../../kernel/steps.ts'
import { externalSubnetsAround } from '../pools/handles.ts'
import { detachExternalSubnet } from './attach.ts'
import { deleteExternalSubnet } from './delete.ts'
import type { ExternalSubnetTable } from './table.ts'
import { viewExternalSubnet } from './view.ts'
import './deletion.ts'

declare module '../../../kernel/kinds.ts' {
  interface KindTables {
    external_subnet: ExternalSubnetTable
  }
}

storeTable('external_subnet', {
  within: {
    subnet_pool_id: 'subnet_pool',
    subnet_pool_member_id: 'subnet_pool_member',
    project_id: 'project',
    instance_id: 'instance',
  },
  names: { external_subnet_name: kinds.external_subnet.type },
})

storeKind('external_subnet', {
  table: 'external_subnet',
  // A deleted subnet has no row.
  live: '1 = 1',
  search: searchOf('external_subnet_search', {
    searched: [...described, 'subnet'],
    handles: [
      {
        form: 'ip',
        table: 'external_subnet',
        column: 'ip',
        thing: 'id',
        within: (projects) => sql`project_id in (${projects})`,
      },
      externalSubnetsAround,
    ],
    sorts: { ...usualSorts, subnet: text('first_key') },
    filters: {
      attached: present('instance_id'),
      pool: idsOf('subnet_pool_id', 'subnet_pool'),
    },
    views: each(viewExternalSubnet),
  }),
  bulkColumns: ['instance_id'],
  steps: {
    detach: step('external_subnet_detach', async (work, id) => {
      const row = await lookup(work, 'external_subnet', id)
      if (row.instance_id !== null) await detachExternalSubnet(work, row)
    }),
    delete: step('external_subnet_delete', async (work, id) =>
      deleteExternalSubnet(work, await lookup(work, 'external_subnet', id)),
    ),
  },
  deletion: { columns: { project_id: 'project_id', instance_id: 'instance_id' } },
})

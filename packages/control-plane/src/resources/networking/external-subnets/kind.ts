import { deletionSentences } from '@steading/api/rules'
import { sql } from 'kysely'
import type { StoredKind } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { idsOf, present } from '../../../kernel/search/filters.ts'
import { described, each, searchOf, text, usualSorts } from '../../../kernel/search/search.ts'
import { step } from '../../../kernel/job-steps.ts'
import { stepOn } from '../../../kernel/step-on.ts'
import { externalSubnetsAround } from '../pools/handles.ts'
import { detachExternalSubnet } from './attach.ts'
import { deleteExternalSubnet } from './delete.ts'
import { restoreExternalSubnet } from './restore.ts'
import { toWireExternalSubnet } from './wire.ts'
import { externalSubnetTables } from './table.ts'

export const external_subnet: StoredKind<'external_subnet'> = {
  tables: externalSubnetTables,
  // A deleted subnet has no row.
  live: '1 = 1',
  metered: {
    amounts: { external_subnet: '1' },
    while: '1 = 1',
    name: 'its.name',
    since: 'its.time_created',
  },
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
    toWire: each(toWireExternalSubnet),
  }),
  bulkColumns: ['instance_id'],
  steps: {
    detach: step('external_subnet_detach', async (work, id) => {
      const row = await lookup(work, 'external_subnet', id)
      if (row.instance_id !== null) await detachExternalSubnet(work, row)
    }),
    delete: stepOn('external_subnet', 'external_subnet_delete', deleteExternalSubnet),
  },
  restoration: {},
  restoredRows: { external_subnet: restoreExternalSubnet },
  deletion: { columns: { project_id: 'project_id', instance_id: 'instance_id' } },
  relations: [
    {
      owner: 'instance',
      relation: 'stays',
      pairs: sql`select id, instance_id as owner_id from external_subnet`,
      reason: deletionSentences.detached,
      detail: sql`its.subnet`,
    },
  ],
}

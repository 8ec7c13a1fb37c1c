import { kinds, deletionSentences } from '@steading/api/rules'
import type { Wire } from '@steading/api'
import { sql } from 'kysely'
import type { Listed } from '../../../kernel/db/schema.ts'
import type { Row, StoredKind } from '../../../kernel/kinds.ts'
import { identityOf } from '../../../kernel/identity.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { idsOf, present } from '../../../kernel/search/filters.ts'
import { described, each, searchOf, text, usualSorts } from '../../../kernel/search/search.ts'
import { step } from '../../../kernel/job-steps.ts'
import { stepOn } from '../../../kernel/step-on.ts'
import { pick } from '../../../kernel/pick.ts'
import { deleteRow } from '../../../kernel/named-rows.ts'
import { fail } from '../../../kernel/errors.ts'
import { externalSubnetsAround } from '../pools/handles.ts'
import { type Deleting, keeping } from '../../workspace/deleted-resources/keep.ts'
import { detachExternalSubnet } from './attach.ts'
import { restoreExternalSubnet } from './restore.ts'
import { freeSubnet } from './allocate.ts'

export interface ExternalSubnetTable extends Listed {
  subnet: string
  /** Its first address, for searches. */
  ip: string
  /** Fixed-width hex, so that text order is address order. */
  first_key: string
  prefix_length: number
  subnet_pool_id: string
  subnet_pool_member_id: string
  project_id: string
  instance_id: string | null
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    external_subnet: ExternalSubnetTable
  }
}

export const toWireExternalSubnet = (row: Row<'external_subnet'>): Wire.ExternalSubnet => ({
  ...identityOf(row),
  ...pick(row, 'subnet', 'subnet_pool_id', 'subnet_pool_member_id', 'project_id', 'instance_id'),
})

/** @throws ApiError 400 while it is attached */
export async function deleteExternalSubnet(
  work: Deleting,
  row: Row<'external_subnet'>,
): Promise<void> {
  if (row.instance_id !== null) throw fail.invalidRequest(kinds.external_subnet.deletion.refusal)
  await keeping(work, 'external_subnet', row, async () => {
    await freeSubnet(work.db, row)
    await deleteRow(work, 'external_subnet', row)
  })
}

export const external_subnet: StoredKind<'external_subnet'> = {
  tables: {
    external_subnet: {
      within: {
        subnet_pool_id: 'subnet_pool',
        subnet_pool_member_id: 'subnet_pool_member',
        project_id: 'project',
        instance_id: 'instance',
      },
      names: {
        external_subnet_name: kinds.external_subnet.type,
        external_subnet_by_name_key: kinds.external_subnet.type,
      },
    },
  },
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

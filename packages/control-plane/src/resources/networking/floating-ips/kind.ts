import { sql } from 'kysely'
import { deletionSentences, kinds } from '@steading/api/rules'
import { idsOf, present } from '../../../kernel/search/filters.ts'
import { described, each, searchOf, text, usualSorts } from '../../../kernel/search/search.ts'
import type { StoredKind, Row } from '../../../kernel/kinds.ts'
import { stepOn } from '../../../kernel/step-on.ts'
import { deleteRow } from '../../../kernel/named-rows.ts'
import { fail } from '../../../kernel/errors.ts'
import { externalAddresses } from '../external-ips/handles.ts'
import { detachFloating } from '../external-ips/floating.ts'
import { toWireFloatingIp } from '../external-ips/kind.ts'
import { type Deleting, keeping } from '../../workspace/deleted-resources/keep.ts'
import { freeAddresses } from '../external-ips/allocate.ts'

declare module '../../../kernel/kinds.ts' {
  interface SharedTables {
    floating_ip: 'external_ip'
  }
}

/** @throws ApiError 400 while it is attached */
export async function deleteFloatingIp(work: Deleting, row: Row<'floating_ip'>): Promise<void> {
  if (row.instance_id !== null) throw fail.invalidRequest(kinds.floating_ip.deletion.refusal)
  await keeping(work, 'floating_ip', row, async () => {
    await freeAddresses(work.db, [row])
    await deleteRow(work, 'floating_ip', row)
  })
}

export const floating_ip: StoredKind<'floating_ip'> = {
  table: 'external_ip',
  // Only floating addresses have a name. Their indexes have this condition.
  live: 'name is not null',
  metered: {
    amounts: { floating_ip: '1' },
    while: "its.kind = 'floating'",
    name: 'its.name',
    since: 'its.time_created',
  },
  search: searchOf('floating_ip_search', {
    searched: [...described, 'ip'],
    handles: externalAddresses('id'),
    sorts: {
      ...usualSorts,
      ip: text('ip_key'),
    },
    filters: { attached: present('instance_id'), pool: idsOf('ip_pool_id', 'ip_pool') },
    toWire: each(toWireFloatingIp),
  }),
  bulkColumns: ['instance_id'],
  steps: {
    detach: stepOn('floating_ip', 'floating_ip_detach', detachFloating),
    delete: stepOn('floating_ip', 'floating_ip_delete', deleteFloatingIp),
  },
  restoration: {},
  deletion: { columns: { project_id: 'project_id', instance_id: 'instance_id' } },
  relations: [
    {
      owner: 'instance',
      relation: 'stays',
      pairs: sql`select id, instance_id as owner_id from external_ip`,
      reason: deletionSentences.detached,
      detail: sql`its.ip`,
    },
  ],
}

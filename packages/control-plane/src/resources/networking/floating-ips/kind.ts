import { sql } from 'kysely'
import { deletionSentences } from '@steading/api/rules'
import { idsOf, present } from '../../../kernel/search/filters.ts'
import { described, each, searchOf, text, usualSorts } from '../../../kernel/search/search.ts'
import { externalAddresses } from '../external-ips/handles.ts'
import { detachFloating } from '../external-ips/floating.ts'
import { toWireFloatingIp } from '../external-ips/kind.ts'
import { deleteFloatingIp } from './delete.ts'
import type { StoredKind } from '../../../kernel/kinds.ts'
import { stepOn } from '../../../kernel/step-on.ts'

declare module '../../../kernel/kinds.ts' {
  interface SharedTables {
    floating_ip: 'external_ip'
  }
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

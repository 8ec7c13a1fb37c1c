import { sql } from 'kysely'
import { deletionSentences, restoreMessages } from '@steading/api/rules'
import { may } from '../../../kernel/authz/actor.ts'
import { oneOf } from '../../../kernel/search/filters.ts'
import {
  described,
  nullableText,
  number,
  searchOf,
  text,
  usualSorts,
} from '../../../kernel/search/search.ts'
import { externalAddresses } from '../../networking/external-ips/handles.ts'
import { externalIpsOf } from '../../networking/external-ips/of-instances.ts'
import { interfaceHandles } from '../../networking/network-interfaces/handles.ts'
import { deleteInstance, rebootInstance, startInstance, stopInstance } from './lifecycle.ts'
import { failureColumns, toWireFailure } from './failure.ts'
import { imagesOfBootDisks, privateIpsOf, sledsOf } from './listed.ts'
import { restoreInstance } from './restore.ts'
import { unsetBootDisk } from './update.ts'
import { type InstanceRow, wireColumns, toWireInstance } from './wire.ts'
import type { StoredKind } from '../../../kernel/kinds.ts'
import { stepOn } from '../../../kernel/step-on.ts'
import { instanceTables } from './table.ts'
import { gibOf } from '../../tenancy/usage/metered.ts'

export const instance: StoredKind<'instance'> = {
  tables: instanceTables,
  live: 'time_deleted is null',
  // As in the quotas, from the placement of its machine to its end.
  metered: {
    amounts: { vcpu: 'its.ncpus', memory: gibOf('its.memory') },
    while: 'its.vm_id is not null',
    name: 'its.name',
    since: 'its.time_run_state_updated',
  },
  search: searchOf('instance_search', {
    searched: described,
    select: [...wireColumns, ...failureColumns, 'name_key', 'sled_id'],
    handles: [...externalAddresses('instance_id'), ...interfaceHandles],
    sorts: {
      ...usualSorts,
      state: text('run_state'),
      time_run_state_updated: text('time_run_state_updated'),
      ncpus: number('ncpus'),
      memory: number('memory'),
      time_last_auto_restarted: nullableText('time_last_auto_restarted'),
    },
    filters: { state: oneOf('run_state') },
    async toWire(rows: InstanceRow[], { db, services, actor }) {
      const ids = rows.map(({ id }) => id)
      const ips = await externalIpsOf(db, ids)
      const privateIps = await privateIpsOf(db, ids)
      const images = await imagesOfBootDisks(db, rows)
      const sleds = may(actor, 'read', 'sled', {}) ? await sledsOf(db, rows) : undefined
      return rows.map((row) => ({
        ...toWireInstance(row, services.settings.autoRestartCooldownMs),
        external_ips: ips.get(row.id)!,
        private_ips: privateIps.get(row.id) ?? [],
        image_id: images.get(row.boot_disk_id ?? '') ?? null,
        failure: toWireFailure(row, services.settings.autoRestartCooldownMs),
        ...(sleds && { sled: sleds.get(row.sled_id ?? '') ?? null }),
      }))
    },
  }),
  bulkColumns: ['run_state'],
  steps: {
    start: stepOn('instance', 'instance_start', startInstance),
    stop: stepOn('instance', 'instance_stop', stopInstance),
    reboot: stepOn('instance', 'instance_reboot', rebootInstance),
    unset_boot_disk: stepOn('instance', 'instance_update', unsetBootDisk),
    delete: stepOn('instance', 'instance_delete', deleteInstance),
  },
  restoration: {},
  restoredRows: { instance: restoreInstance },
  restoredWithout: {
    boot_disk_id: restoreMessages.noBootDisk,
    sled_id: null,
    destination_sled_id: null,
  },
  deletion: {
    columns: { project_id: 'project_id', state: 'run_state', boot_disk_id: 'boot_disk_id' },
  },
  relations: [
    {
      owner: 'instance',
      kind: 'serial_console',
      relation: 'goes',
      pairs: sql`select id, id as owner_id from instance
        where vm_id is not null or last_vm_id is not null`,
      reason: deletionSentences.serial_console,
    },
  ],
}

import { oneOf } from '../../kernel/search/filters.ts'
import {
  described,
  nameColumn,
  nullableText,
  number,
  searchOf,
  text,
} from '../../kernel/search/search.ts'
import { lookup } from '../../kernel/lookup.ts'
import { step } from '../../kernel/steps.ts'
import { externalIpsOf } from '../external-ips/of-instances.ts'
import { deleteInstance, rebootInstance, startInstance, stopInstance } from './lifecycle.ts'
import { type InstanceRow, viewColumns, viewInstance } from './view.ts'
import type { InstanceTable } from '../../kernel/db/schema.ts'
import { storeKind } from '../../kernel/kinds.ts'

declare module '../../kernel/kinds.ts' {
  interface KindTables {
    instance: InstanceTable
  }
}

storeKind('instance', {
  table: 'instance',
  live: 'time_deleted is null',
  search: searchOf('instance_search', {
    searched: described,
    select: viewColumns,
    sorts: {
      name: nameColumn,
      description: text('description'),
      state: text('run_state'),
      time_run_state_updated: text('time_run_state_updated'),
      ncpus: number('ncpus'),
      memory: number('memory'),
      time_created: text('time_created'),
      time_last_auto_restarted: nullableText('time_last_auto_restarted'),
    },
    filters: { state: oneOf('run_state') },
    async views(rows: InstanceRow[], { db, services }) {
      const ips = await externalIpsOf(
        db,
        rows.map(({ id }) => id),
      )
      return rows.map((row) => ({
        ...viewInstance(row, services.settings.autoRestartCooldownMs),
        external_ips: ips.get(row.id)!,
      }))
    },
  }),
  bulkColumns: ['run_state'],
  steps: {
    start: step('instance_start', async (work, id) => {
      await startInstance(work, await lookup(work, 'instance', id))
    }),
    stop: step('instance_stop', async (work, id) => {
      await stopInstance(work, await lookup(work, 'instance', id))
    }),
    reboot: step('instance_reboot', async (work, id) => {
      await rebootInstance(work, await lookup(work, 'instance', id))
    }),
    delete: step('instance_delete', async (work, id) =>
      deleteInstance(work, await lookup(work, 'instance', id)),
    ),
  },
  deletion: {
    columns: { project_id: 'project_id', state: 'run_state', boot_disk_id: 'boot_disk_id' },
  },
})

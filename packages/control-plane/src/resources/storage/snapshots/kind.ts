import { oneOf } from '../../../kernel/search/filters.ts'
import {
  described,
  each,
  number,
  searchOf,
  text,
  usualSorts,
} from '../../../kernel/search/search.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { step } from '../../../kernel/steps.ts'
import { deleteSnapshot } from './delete.ts'
import { viewSnapshot } from './view.ts'
import { kinds } from '@steading/api/rules'
import { storeTable } from '../../../kernel/db/tables.ts'
import type { SnapshotTable } from './table.ts'
import { storeKind } from '../../../kernel/kinds.ts'
import './deletion.ts'

declare module '../../../kernel/kinds.ts' {
  interface KindTables {
    snapshot: SnapshotTable
  }
}

storeTable('snapshot', {
  marked: true,
  within: { project_id: 'project' },
  origins: { disk_id: 'disk' },
  unfinished: 'has_volume = 1 or reconcile_at is not null or lease_until is not null',
  names: { snapshot_name: kinds.snapshot.type },
})

storeKind('snapshot', {
  table: 'snapshot',
  live: 'time_deleted is null',
  search: searchOf('snapshot_search', {
    searched: described,
    sorts: {
      ...usualSorts,
      state: text('state'),
      size: number('size'),
    },
    filters: { state: oneOf('state') },
    views: each(viewSnapshot),
  }),
  bulkColumns: ['state'],
  steps: {
    delete: step('snapshot_delete', async (work, id) =>
      deleteSnapshot(work, await lookup(work, 'snapshot', id)),
    ),
  },
  deletion: { columns: { project_id: 'project_id', state: 'state' }, hasBytes: true },
})

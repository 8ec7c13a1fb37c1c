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
import type { StoredKind } from '../../../kernel/kinds.ts'
import './deletion.ts'
import { snapshotTables } from './table.ts'

export const snapshot: StoredKind<'snapshot'> = {
  tables: snapshotTables,
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
}

import { kinds } from '@steading/api/rules'
import { storeTable } from '../../../kernel/db/tables.ts'
import { storeKind } from '../../../kernel/kinds.ts'
import type { SavedViewTable } from './table.ts'

declare module '../../../kernel/kinds.ts' {
  interface KindTables {
    saved_view: SavedViewTable
    project_view: SavedViewTable
  }
}

storeTable('saved_view', {
  partOf: { user_id: 'silo_user', project_id: 'project' },
  names: {
    saved_view_user_name: kinds.saved_view.type,
    saved_view_project_name: kinds.project_view.type,
  },
})

storeKind('saved_view', {
  table: 'saved_view',
  live: 'user_id is not null',
  parentColumn: 'user_id',
})

storeKind('project_view', { table: 'saved_view', live: 'project_id is not null' })

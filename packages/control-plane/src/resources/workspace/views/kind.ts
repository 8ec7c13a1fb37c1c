import type { StoredKind } from '../../../kernel/kinds.ts'
import { savedViewTables } from './table.ts'

declare module '../../../kernel/kinds.ts' {
  interface SharedTables {
    project_view: 'saved_view'
  }
}

export const saved_view: StoredKind<'saved_view'> = {
  tables: savedViewTables,
  live: 'user_id is not null',
  parentColumn: 'user_id',
}

export const project_view: StoredKind<'project_view'> = {
  table: 'saved_view',
  live: 'project_id is not null',
}

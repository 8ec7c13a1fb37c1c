import type { StoredKind } from '../../../kernel/kinds.ts'
import { dashboardTables } from './table.ts'

declare module '../../../kernel/kinds.ts' {
  interface SharedTables {
    project_dashboard: 'dashboard'
    silo_dashboard: 'dashboard'
  }
}

export const dashboard: StoredKind<'dashboard'> = {
  tables: dashboardTables,
  live: 'user_id is not null',
  parentColumn: 'user_id',
}

export const project_dashboard: StoredKind<'project_dashboard'> = {
  table: 'dashboard',
  live: 'project_id is not null',
}

export const silo_dashboard: StoredKind<'silo_dashboard'> = {
  table: 'dashboard',
  live: 'silo_id is not null',
}

import { kinds } from '@steading/api/rules'
import { storeTable } from '../../../kernel/db/tables.ts'
import { storeKind } from '../../../kernel/kinds.ts'
import type { DashboardTable } from './table.ts'

declare module '../../../kernel/kinds.ts' {
  interface KindTables {
    dashboard: DashboardTable
    project_dashboard: DashboardTable
    silo_dashboard: DashboardTable
  }
}

storeTable('dashboard', {
  partOf: { user_id: 'silo_user', project_id: 'project', silo_id: 'silo' },
  names: {
    dashboard_user_name: kinds.dashboard.type,
    dashboard_project_name: kinds.project_dashboard.type,
    dashboard_silo_name: kinds.silo_dashboard.type,
  },
})

storeKind('dashboard', {
  table: 'dashboard',
  live: 'user_id is not null',
  parentColumn: 'user_id',
})
storeKind('project_dashboard', { table: 'dashboard', live: 'project_id is not null' })
storeKind('silo_dashboard', { table: 'dashboard', live: 'silo_id is not null' })

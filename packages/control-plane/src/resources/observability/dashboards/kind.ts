import { kinds, type DashboardSource, type DashboardSharing } from '@steading/api/rules'
import type { Wire } from '@steading/api'
import { jsonColumn } from '../../../kernel/db/json-column.ts'
import type { Row, StoredKind } from '../../../kernel/kinds.ts'
import { identityOf } from '../../../kernel/identity.ts'

export interface DashboardTable {
  id: string
  name: string
  description: string
  source: DashboardSource
  /** The owner: a user, or the project or silo that shares it. Exactly one of the three is set. */
  user_id: string | null
  project_id: string | null
  silo_id: string | null
  /** JSON. */
  charts: string
  /** JSON; null for none. */
  tag_keys: string | null
  time_created: string
  time_modified: string
}

export const dashboardTagKeys = jsonColumn<string[]>()
export const dashboardCharts = jsonColumn<Wire.DashboardChart[]>()

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    dashboard: DashboardTable
  }
}

export type DashboardRow = Row<'dashboard'>

export function sharingOf(row: DashboardRow): DashboardSharing {
  if (row.project_id !== null) return 'project'
  return row.silo_id === null ? 'private' : 'silo'
}

export const toWireDashboard = (row: DashboardRow): Wire.Dashboard => ({
  ...identityOf(row),
  charts: dashboardCharts.read(row.charts),
  tag_keys: row.tag_keys === null ? [] : dashboardTagKeys.read(row.tag_keys),
  source: row.source,
  sharing: sharingOf(row),
  project_id: row.project_id,
})

declare module '../../../kernel/kinds.ts' {
  interface SharedTables {
    project_dashboard: 'dashboard'
    silo_dashboard: 'dashboard'
  }
}

export const dashboard: StoredKind<'dashboard'> = {
  tables: {
    dashboard: {
      partOf: { user_id: 'silo_user', project_id: 'project', silo_id: 'silo' },
      names: {
        dashboard_user_name: kinds.dashboard.type,
        dashboard_project_name: kinds.project_dashboard.type,
        dashboard_silo_name: kinds.silo_dashboard.type,
      },
    },
  },
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

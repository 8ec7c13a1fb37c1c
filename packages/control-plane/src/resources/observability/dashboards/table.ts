import type { StoredTables } from '../../../kernel/db/tables.ts'
import { kinds } from '@steading/api/rules'
import type { Wire } from '@steading/api'
import type { DashboardSource } from '@steading/api/rules'
import { jsonColumn } from '../../../kernel/db/json-column.ts'

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

export const dashboardTables: StoredTables = {
  dashboard: {
    partOf: { user_id: 'silo_user', project_id: 'project', silo_id: 'silo' },
    names: {
      dashboard_user_name: kinds.dashboard.type,
      dashboard_project_name: kinds.project_dashboard.type,
      dashboard_silo_name: kinds.silo_dashboard.type,
    },
  },
}

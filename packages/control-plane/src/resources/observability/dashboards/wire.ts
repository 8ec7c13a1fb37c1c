import type { Wire } from '@steading/api'
import type { DashboardSharing } from '@steading/api/rules'
import type { Row } from '../../../kernel/kinds.ts'
import { identityOf } from '../../../kernel/identity.ts'
import { dashboardCharts, dashboardTagKeys } from './table.ts'

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

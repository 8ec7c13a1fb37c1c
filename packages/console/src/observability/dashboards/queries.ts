import type { Dashboard } from '@steading/api/client'
import { apiQuery, queryClient } from '../../data/api.ts'
import type { QueryScope } from '../timeseries/explorer-link.ts'

export const dashboardListQuery = (scope: QueryScope) =>
  apiQuery('dashboardList', {
    query:
      scope === 'system' ? { source: 'system' } : { source: 'project', project: scope.project },
  })

export const dashboardQuery = (dashboard: string) =>
  apiQuery('dashboardView', { path: { dashboard } })

/** The name of a dashboard that has been read. */
export const nameOfDashboard = (dashboard: string): string | undefined =>
  queryClient.getQueryData<Dashboard>(dashboardQuery(dashboard).queryKey)?.name

export type Chart = Dashboard['charts'][number]

/** What a page shows, be it saved or ready-made. */
export type Content = Pick<Dashboard, 'name' | 'description' | 'charts'>

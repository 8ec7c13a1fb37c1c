import type { Dashboard } from '@steading/api/client'
import { dashboardVariables, isUuid, type DashboardVariable } from '@steading/api/rules'
import { apiQuery, queryClient } from '../../data/api.ts'
import type { QueryScope } from '../timeseries/explorer-link.ts'

export const dashboardListQuery = (scope: QueryScope) =>
  apiQuery('dashboardList', {
    query:
      scope === 'system' ? { source: 'system' } : { source: 'project', project: scope.project },
  })

export const dashboardQuery = (dashboard: string) =>
  apiQuery('dashboardView', { path: { dashboard } })

/** The name of a cached dashboard. */
export const nameOfDashboard = (dashboard: string): string | undefined =>
  queryClient.getQueryData<Dashboard>(dashboardQuery(dashboard).queryKey)?.name

export type Chart = Dashboard['charts'][number]

/** Content of a dashboard, saved or ready-made. */
export type Content = Pick<Dashboard, 'name' | 'description' | 'charts'> &
  Partial<Pick<Dashboard, 'tagKeys'>>

const variables: readonly DashboardVariable[] = Object.values(dashboardVariables).flat()

/** The chosen IDs by variable, the chosen tags, and the query of a chart to add. */
export type DashboardSearch = { [V in DashboardVariable]?: string } & {
  /** Separated by commas. */
  tags?: string
  add?: string
}

export function readDashboardSearch(search: Record<string, unknown>): DashboardSearch {
  const chosen = variables.flatMap((name) => {
    const id = search[name]
    return typeof id === 'string' && isUuid(id) ? [[name, id] as const] : []
  })
  const { add, tags } = search
  return {
    ...Object.fromEntries(chosen),
    ...(typeof tags === 'string' ? { tags } : {}),
    ...(typeof add === 'string' && add ? { add } : {}),
  }
}

export const readAddSearch = ({ add }: Record<string, unknown>): { add?: string } =>
  typeof add === 'string' && add ? { add } : {}

/** Ready-made dashboards: id in the address → name. */
export const readyMadeNames = {
  project: { instances: 'Instances of the project', instance: 'One instance', disk: 'One disk' },
  system: { sleds: 'Sleds and hardware', 'control-plane': 'Control plane' },
} as const

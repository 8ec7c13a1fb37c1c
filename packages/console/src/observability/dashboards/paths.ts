/** The addresses of dashboards. */
import { pathTo } from '../../data/addresses.ts'
import type { QueryScope } from '../timeseries/explorer-link.ts'

const withQuery = (path: string, add: string | undefined): string =>
  add === undefined ? path : `${path}?${new URLSearchParams({ add })}`

/** @param add query of a chart to add to one of the dashboards */
export const dashboardsPath = (scope: QueryScope, add?: string): string =>
  withQuery(
    scope === 'system'
      ? pathTo('/system/dashboards')
      : pathTo('/projects/$project/dashboards', scope),
    add,
  )

/** @param add query of a chart to add */
export const dashboardPath = (scope: QueryScope, dashboard: string, add?: string): string =>
  withQuery(
    scope === 'system'
      ? pathTo('/system/dashboards/$dashboard', { dashboard })
      : pathTo('/projects/$project/dashboards/$dashboard', { ...scope, dashboard }),
    add,
  )

/** The addresses of dashboards. */
import { pathTo } from '../../page/path-to.ts'
import type { QueryScope } from '../timeseries/explorer-link.ts'

const withQuery = (path: string, add: string | undefined): string =>
  add === undefined ? path : `${path}?${new URLSearchParams({ add })}`

/** @param add the query of a chart that is to be added to one of them */
export const dashboardsPath = (scope: QueryScope, add?: string): string =>
  withQuery(
    scope === 'system'
      ? pathTo('/system/dashboards')
      : pathTo('/projects/$project/dashboards', scope),
    add,
  )

/** @param add the query of a chart that is to be added to it */
export const dashboardPath = (scope: QueryScope, dashboard: string, add?: string): string =>
  withQuery(
    scope === 'system'
      ? pathTo('/system/dashboards/$dashboard', { dashboard })
      : pathTo('/projects/$project/dashboards/$dashboard', { ...scope, dashboard }),
    add,
  )

/** The addresses of dashboards. */
import type { QueryScope } from '../timeseries/query-scope.ts'

const listPath = (scope: QueryScope): string =>
  scope === 'system'
    ? '/system/dashboards'
    : `/projects/${encodeURIComponent(scope.project)}/dashboards`

const withQuery = (path: string, add: string | undefined): string =>
  add === undefined ? path : `${path}?${new URLSearchParams({ add })}`

/** @param add the query of a chart that is to be added to one of them */
export const dashboardsPath = (scope: QueryScope, add?: string): string =>
  withQuery(listPath(scope), add)

/** @param add the query of a chart that is to be added to it */
export const dashboardPath = (scope: QueryScope, id: string, add?: string): string =>
  withQuery(`${listPath(scope)}/${id}`, add)

/** Addresses of the metrics explorer, which contain its whole state. */
import { pathTo } from '../../data/addresses.ts'
import type { Span } from '../../ui/charts/zoom.ts'

/** Scope of a query: a project's time series, or the fleet's. */
export type QueryScope = { project: string } | 'system'

/** Parameters of the address. Without them the explorer is empty. */
export type ExplorerSearch = {
  query?: string
  /** Id of a range preset; defaults to the first one. */
  range?: string
  /** A custom range, as ISO times. */
  from?: string
  to?: string
  view?: 'table'
}

/** Parameters of a fixed range. */
export const searchOfSpan = ({ from, to }: Span): Pick<ExplorerSearch, 'from' | 'to'> => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
})

export const explorerPath = (scope: QueryScope, search: ExplorerSearch): string => {
  const page =
    scope === 'system' ? pathTo('/system/metrics') : pathTo('/projects/$project/metrics', scope)
  return `${page}?${new URLSearchParams(search)}`
}

/** The addresses of the metrics explorer: what it shows stands in them. */
import { pathTo } from '../../page/path-to.ts'
import type { Span } from '../../ui/charts/zoom.ts'

/** Whose time series a query reads: those of a project, or those of the whole fleet. */
export type QueryScope = { project: string } | 'system'

/** The parameters of the address. Without them the explorer is empty. */
export type ExplorerSearch = {
  query?: string
  /** The id of a preset of the range; of the first one if there is none. */
  range?: string
  /** A custom range, as ISO times. */
  from?: string
  to?: string
  view?: 'table'
}

/** A range that stays where it is, as the address has it. */
export const searchOfSpan = ({ from, to }: Span): Pick<ExplorerSearch, 'from' | 'to'> => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
})

export const explorerPath = (scope: QueryScope, search: ExplorerSearch): string => {
  const page =
    scope === 'system' ? pathTo('/system/metrics') : pathTo('/projects/$project/metrics', scope)
  return `${page}?${new URLSearchParams(search)}`
}

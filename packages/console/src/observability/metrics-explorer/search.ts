/** Search parameters of the explorer's address. */
import type { ExplorerSearch } from '../timeseries/explorer-link.ts'
import { longPresets, rangeProblem } from '../../ui/charts/time-range.ts'
import type { Span } from '../../ui/charts/zoom.ts'

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value ? value : undefined

const timeOf = (value: string | undefined): number => Date.parse(value ?? '')

/** The custom range of an address; undefined if missing or invalid. */
export function spanOfSearch({ from, to }: ExplorerSearch): Span | undefined {
  const span = { from: timeOf(from), to: timeOf(to) }
  if (Number.isNaN(span.from) || Number.isNaN(span.to) || rangeProblem(span)) return undefined
  return span
}

/** Ignores invalid parameters. */
export function readExplorerSearch(search: Record<string, unknown>): ExplorerSearch {
  const { query, range, from, to, view } = search
  const ends = { from: text(from), to: text(to) }
  const preset = longPresets.find(({ id }) => id === range)?.id
  return {
    ...(text(query) && { query: text(query) }),
    ...(preset && { range: preset }),
    ...(!preset && spanOfSearch(ends) && ends),
    ...(view === 'table' && { view }),
  }
}

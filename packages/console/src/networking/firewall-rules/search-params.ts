/** The search parameters of the tab, which the first page loads. */
import { firewallActions, firewallDirections, firewallStatuses } from '@steading/api/rules'

export const ruleFilters = {
  status: firewallStatuses,
  direction: firewallDirections,
  action: firewallActions,
} as const
export type RuleFilter = keyof typeof ruleFilters

/** The search parameters of the tab; defaults are omitted. */
export type RuleSearch = { q?: string; sort?: string } & { [Filter in RuleFilter]?: string }

const SEARCH_MAX = 256
const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

/** Parses search parameters; invalid values are ignored, as they are user input. */
export function readRuleSearch(raw: Record<string, unknown>): RuleSearch {
  const search: RuleSearch = {}
  const q = textOf(raw.q).slice(0, SEARCH_MAX)
  if (q) search.q = q
  const sort = textOf(raw.sort)
  if (sortOf(sort)) search.sort = sort
  for (const [name, words] of Object.entries(ruleFilters) as [RuleFilter, readonly string[]][]) {
    const understood = textOf(raw[name])
      .split(',')
      .filter((word) => words.includes(word))
    if (understood.length > 0) search[name] = understood.join(',')
  }
  return search
}

export type RuleSort = 'name' | 'priority' | 'created'
export const USUAL_SORT = 'priority_ascending'

export function sortOf(sort: string): { by: RuleSort; descending: boolean } | undefined {
  const match = /^(name|priority|created)_(ascending|descending)$/.exec(sort)
  return match ? { by: match[1] as RuleSort, descending: match[2] === 'descending' } : undefined
}

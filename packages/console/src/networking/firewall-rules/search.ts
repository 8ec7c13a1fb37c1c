/** Searches, filters and sorts rules in the browser: there are at most 1,024. */
import { byPriority, type Rule } from './rules.ts'
import {
  ruleFilters,
  type RuleFilter,
  type RuleSearch,
  type RuleSort,
  sortOf,
  USUAL_SORT,
} from './search-params.ts'
import { firewallSentence } from '@steading/api/rules'
import { hostTypeNames, trafficTexts } from './labels.ts'

const hostTexts = (hosts: Rule['targets'] | null | undefined) =>
  (hosts ?? []).map(({ type, value }) => `${hostTypeNames[type]} ${value}`)

const texts = new WeakMap<Rule, string>()
/** All shown texts of a rule, in lower case. */
function searchedText(rule: Rule): string {
  let text = texts.get(rule)
  if (text === undefined) {
    const { name, description, priority, action, direction, status, targets, filters } = rule
    text = [
      name,
      description,
      priority,
      action,
      direction,
      status,
      ...hostTexts(targets),
      ...hostTexts(filters.hosts),
      ...trafficTexts(filters),
      ...(filters.ports ?? []).map((port) => `port ${port}`),
      firewallSentence(rule, 'whole'),
    ]
      .join('\n')
      .toLowerCase()
    texts.set(rule, text)
  }
  return text
}

const compare: Record<RuleSort, (a: Rule, b: Rule) => number> = {
  name: (a: Rule, b: Rule) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  priority: (a: Rule, b: Rule) => a.priority - b.priority,
  created: (a: Rule, b: Rule) => a.timeCreated.getTime() - b.timeCreated.getTime(),
}

/** The rules that match a search, in its order. */
export function findRules(rules: Rule[], { q = '', sort = USUAL_SORT, ...search }: RuleSearch) {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const filters = (Object.keys(ruleFilters) as RuleFilter[]).flatMap((name) => {
    const chosen = search[name]?.split(',')
    return chosen ? [(rule: Rule) => chosen.includes(rule[name])] : []
  })
  const found = rules.filter(
    (rule) =>
      filters.every((fits) => fits(rule)) &&
      words.every((word) => searchedText(rule).includes(word)),
  )
  const { by, descending } = sortOf(sort)!
  const sorted = byPriority(found).toSorted(compare[by])
  return descending ? sorted.toReversed() : sorted
}

/** The number of rules for each value of a filter, among the matches of all other filters. */
export function countRules(rules: Rule[], search: RuleSearch, name: RuleFilter) {
  const counts = new Map<string, number>(ruleFilters[name].map((word) => [word, 0]))
  for (const rule of findRules(rules, { ...search, [name]: undefined })) {
    counts.set(rule[name], counts.get(rule[name])! + 1)
  }
  return counts
}

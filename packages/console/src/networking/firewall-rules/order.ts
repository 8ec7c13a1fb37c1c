/** The order of evaluation of rules, and the priorities that change it. */
import { FIREWALL_PRIORITY_MAX, longestIncreasing } from '@steading/api/rules'
import type { RuleUpdate } from './rules.ts'

export type Ordered = Pick<RuleUpdate, 'name' | 'action' | 'priority'>

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Rules of the same priority are ordered by action, `deny` first, then by name. */
const tie = (a: Ordered, b: Ordered) => byText(b.action, a.action) || byText(a.name, b.name)

/** Compares rules by order of evaluation, lower numbers first. */
export const compareRules = (a: Ordered, b: Ordered): number => a.priority - b.priority || tie(a, b)

/** The usual gap between priorities, where there is enough room. */
const STEP = 10

/** Priorities for some rules between two others; they may overlap if there is no room. */
function between(before: number, after: number, count: number): number[] {
  const room = after - before - 1
  const step = Math.max(1, Math.min(STEP, Math.floor(room / count)))
  const first = after > FIREWALL_PRIORITY_MAX ? before + step : after - count * step
  return Array.from({ length: count }, (_, index) => Math.max(first, before + 1) + index * step)
}

/**
 * Assigns priorities for another order. As many rules as possible keep their priority and relative
 * order.
 * @param rules in their current order of evaluation
 * @param names of all rules, in the wanted order
 * @returns the rules in the wanted order
 */
export function reorder<R extends Ordered>(rules: readonly R[], names: readonly string[]): R[] {
  const places = new Map(rules.map(({ name }, place) => [name, place]))
  const kept = longestIncreasing(names.map((name) => places.get(name)!))
  const next = names.map((name) => rules[places.get(name)!]!)
  const set = (index: number, priority: number) => {
    next[index] = { ...next[index]!, priority }
  }
  for (let start = 0; start < next.length; start++) {
    if (kept.has(start)) continue
    let end = start
    while (end < next.length && !kept.has(end)) end++
    const before = next[start - 1]?.priority ?? -1
    const after = next[end]?.priority ?? FIREWALL_PRIORITY_MAX + 1
    const chosen = between(before, after, end - start)
    for (const [index, priority] of chosen.entries()) set(start + index, priority)
    start = end
  }
  const old = (index: number) => rules[places.get(names[index]!)!]!.priority
  /** The least distance of a rule to the previous one; zero only if both kept the same priority. */
  const distance = (index: number) => {
    const stay = kept.has(index - 1) && kept.has(index)
    return stay && old(index - 1) === old(index) ? 0 : 1
  }
  // Without room, the following rules are shifted, and at the end the preceding ones.
  for (let index = 1; index < next.length; index++) {
    const least = next[index - 1]!.priority + distance(index)
    if (next[index]!.priority < least) set(index, least)
  }
  let most = FIREWALL_PRIORITY_MAX
  for (let index = next.length - 1; index >= 0; index--) {
    if (next[index]!.priority > most) set(index, most)
    most = next[index]!.priority - (index > 0 ? distance(index) : 0)
  }
  return next
}

/** Moves a name to another position. */
export function moved(names: readonly string[], name: string, to: number): string[] {
  const rest = names.filter((each) => each !== name)
  return rest.toSpliced(to, 0, name)
}

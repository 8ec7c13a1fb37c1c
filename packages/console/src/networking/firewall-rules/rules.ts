/** Lists of firewall rules, and changes as functions of a list. */
import type {
  VpcFirewallRule,
  VpcFirewallRules,
  VpcFirewallRuleStatus,
  VpcFirewallRuleUpdate,
} from '@steading/api/client'

export type Rule = VpcFirewallRule
export type RuleUpdate = VpcFirewallRuleUpdate
export type Rules = VpcFirewallRules

/** A rule as sent in requests. */
export const toUpdate = (rule: RuleUpdate): RuleUpdate => {
  const { name, description, status, direction, action, priority, targets, filters } = rule
  return { name, description, status, direction, action, priority, targets, filters }
}

/** Sorts rules by priority; rules of the same priority keep their order. */
export const byPriority = (rules: Rule[]): Rule[] =>
  rules.toSorted((a, b) => a.priority - b.priority)

/**
 * A change of a list of rules; it also applies to a list changed by another user in the meantime.
 */
export type Change = (rules: RuleUpdate[]) => RuleUpdate[]

export const addRule =
  (rule: RuleUpdate): Change =>
  (rules) => [...rules, rule]

/** @param original the name of the rule before the change */
export const replaceRule =
  (original: string, rule: RuleUpdate): Change =>
  (rules) => [...rules.filter(({ name }) => name !== original), rule]

export const removeRules =
  (names: ReadonlySet<string>): Change =>
  (rules) =>
    rules.filter(({ name }) => !names.has(name))

export const setStatus =
  (names: ReadonlySet<string>, status: VpcFirewallRuleStatus): Change =>
  (rules) =>
    rules.map((rule) => (names.has(rule.name) ? { ...rule, status } : rule))

/** @param priorities new priorities by rule name; other rules keep theirs */
export const setPriorities =
  (priorities: ReadonlyMap<string, number>): Change =>
  (rules) =>
    rules.map((rule) => ({ ...rule, priority: priorities.get(rule.name) ?? rule.priority }))

/** Updates the name of the VPC in rules, after a rename. */
export const renameVpc =
  (vpcName: string): Change =>
  (rules) => {
    const rename = <Host extends { type: string; value: string }>(host: Host): Host =>
      host.type === 'vpc' ? { ...host, value: vpcName } : host
    return rules.map((rule) => ({
      ...rule,
      targets: rule.targets.map(rename),
      filters: { ...rule.filters, hosts: rule.filters.hosts?.map(rename) },
    }))
  }

/** Applies a change to the loaded rules. */
export const changed = (rules: Rules, change: Change): RuleUpdate[] =>
  change(rules.rules.map(toUpdate))

/** The difference between two reads of the rules, by name. */
export type Difference = { added: string[]; changed: string[]; removed: string[] }

const contentOf = (rule: Rule) => JSON.stringify(toUpdate(rule))

export function differenceOf(before: Rules, after: Rules): Difference {
  const old = new Map(before.rules.map((rule) => [rule.name, contentOf(rule)]))
  const names = new Set(after.rules.map(({ name }) => name))
  return {
    added: after.rules.flatMap(({ name }) => (old.has(name) ? [] : [name])),
    changed: after.rules.flatMap((rule) =>
      old.has(rule.name) && old.get(rule.name) !== contentOf(rule) ? [rule.name] : [],
    ),
    removed: [...old.keys()].filter((name) => !names.has(name)),
  }
}

export const isDifferent = ({ added, changed: others, removed }: Difference): boolean =>
  added.length + others.length + removed.length > 0

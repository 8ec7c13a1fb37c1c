/**
 * Firewall rules: validation, parsing, and refusals (control plane 8.3; forms: networking 2.4, 2.5
 * and 3.6).
 */
import { errors, type ErrorTemplate } from '../../rules/errors.ts'

/** Maximum number of rules per VPC. */
export const FIREWALL_RULES_MAX = 1024
/** Maximum number of targets of a rule, and of filters of each kind. */
export const FIREWALL_PARTS_MAX = 256
export const FIREWALL_PRIORITY_MAX = 65535
/** Priority of the default rules of a VPC. */
export const DEFAULT_RULE_PRIORITY = 65534

/** Types of targets and host filters: resources by name, addresses and networks by value. */
export const firewallHostTypes = ['vpc', 'subnet', 'instance', 'ip', 'ip_net'] as const
export const firewallProtocols = ['tcp', 'udp', 'icmp', 'icmp6'] as const
export const icmpProtocols = ['icmp', 'icmp6'] as const

export type FirewallHostType = (typeof firewallHostTypes)[number]
export type FirewallProtocolType = (typeof firewallProtocols)[number]
export type IcmpProtocol = (typeof icmpProtocols)[number]

export const isIcmp = (type: FirewallProtocolType): type is IcmpProtocol =>
  type === 'icmp' || type === 'icmp6'

/** A range, including both ends. */
export interface NumberRange {
  first: number
  last: number
}

export type ParsedRange = { range: NumberRange } | { problem: string }

/** Problem with a whole number from `min` to `max`, in the control plane's words. */
function numberProblem(text: string, min: number, max: number): string | undefined {
  if (text === '') return 'cannot parse integer from empty string'
  if (!/^\d+$/.test(text)) return 'invalid digit found in string'
  const value = Number(text)
  if (value > max) return 'number too large to fit in target type'
  return value < min ? 'number would be zero for non-zero type' : undefined
}

/** Parses `n` or `n-m`. `rangeOrderProblem` checks their order. */
function parseRange(text: string, min: number, max: number): ParsedRange {
  const dash = text.indexOf('-')
  const [first, last] = dash < 0 ? [text, text] : [text.slice(0, dash), text.slice(dash + 1)]
  if (dash >= 0 && first === '') return { problem: 'range has no start value' }
  if (dash >= 0 && last === '') return { problem: 'range has no end value' }
  for (const part of [first, last]) {
    const problem = numberProblem(part, min, max)
    if (problem) return { problem: `"${part}" unparsable for type: ${problem}` }
  }
  return { range: { first: Number(first), last: Number(last) } }
}

const PORT_MAX = 65535
const ICMP_MAX = 255

/** Ports of a filter in API format: `22` or `6000-7000`. */
export const parsePortRange = (text: string): ParsedRange => parseRange(text, 1, PORT_MAX)
/** ICMP codes in API format: `0` or `1-3`. */
export const parseIcmpCodes = (text: string): ParsedRange => parseRange(text, 0, ICMP_MAX)

/** Canonical spelling of a range. */
export const formatRange = ({ first, last }: NumberRange): string =>
  first === last ? String(first) : `${first}-${last}`

/** Canonical spelling of a range; any other text unchanged. */
export function normalRange(parse: (text: string) => ParsedRange, text: string): string {
  const parsed = parse(text)
  return 'range' in parsed ? formatRange(parsed.range) : text
}

/** The limited parts of a rule, in either spelling of the contract. */
export interface LimitedRule {
  name: string
  targets: readonly { type: string; value: string }[]
  filters: {
    hosts?: readonly { type: string; value: string }[] | null
    ports?: readonly string[] | null
    protocols?: readonly { type: string; value?: { code?: string | null } | null }[] | null
  }
}

const tooLong = (label: string, length: number, max: number): ErrorTemplate | undefined =>
  length > max ? errors.invalidValue(label, `max length ${max}`) : undefined

function rangeOrderRefusal(label: string, parsed: ParsedRange): ErrorTemplate | undefined {
  const wrong = 'range' in parsed && parsed.range.first > parsed.range.last
  return wrong
    ? errors.invalidValue(label, 'range has larger start value than end value')
    : undefined
}

function firstOf<T>(
  items: readonly T[],
  refuse: (item: T) => ErrorTemplate | undefined,
): ErrorTemplate | undefined {
  for (const item of items) {
    const refusal = refuse(item)
    if (refusal) return refusal
  }
  return undefined
}

/** Whether a target or a host filter names a VPC other than the rule's own. */
export const namesOtherVpc = (host: { type: string; value: string }, vpcName: string): boolean =>
  host.type === 'vpc' && host.value !== vpcName

function refusalOfRule(rule: LimitedRule, vpcName: string): ErrorTemplate | undefined {
  const { targets } = rule
  const hosts = rule.filters.hosts ?? []
  const ports = rule.filters.ports ?? []
  const protocols = rule.filters.protocols ?? []
  return (
    tooLong('targets', targets.length, FIREWALL_PARTS_MAX) ??
    tooLong('filters.hosts', hosts.length, FIREWALL_PARTS_MAX) ??
    tooLong('filters.ports', ports.length, FIREWALL_PARTS_MAX) ??
    tooLong('filters.protocols', protocols.length, FIREWALL_PARTS_MAX) ??
    firstOf(ports, (port) => rangeOrderRefusal('l4_port_range', parsePortRange(port))) ??
    firstOf(protocols, ({ value }) =>
      value?.code ? rangeOrderRefusal('code', parseIcmpCodes(value.code)) : undefined,
    ) ??
    (targets.some((target) => namesOtherVpc(target, vpcName))
      ? errors.invalidRequest('cross-VPC firewall target unsupported')
      : undefined) ??
    (hosts.some((host) => namesOtherVpc(host, vpcName))
      ? errors.invalidRequest('cross-VPC firewall host filter unsupported')
      : undefined)
  )
}

/** Duplicate names, each once, in the order of their second occurrence. */
function duplicates(names: readonly string[]): string[] {
  const seen = new Set<string>()
  const twice = new Set<string>()
  for (const name of names) {
    if (seen.has(name)) twice.add(name)
    seen.add(name)
  }
  return [...twice]
}

/** Refusal of new rules for a VPC; undefined if they are valid. */
export function firewallRulesRefusal(
  rules: readonly LimitedRule[],
  vpcName: string,
): ErrorTemplate | undefined {
  const tooMany = tooLong('rules', rules.length, FIREWALL_RULES_MAX)
  if (tooMany) return tooMany
  const twice = duplicates(rules.map(({ name }) => name))
  if (twice.length > 0) {
    const names = twice.map((name) => `"${name}"`).join(', ')
    return errors.invalidValue('rules', `Rule names must be unique. Duplicates: [${names}]`)
  }
  return firstOf(rules, (rule) => refusalOfRule(rule, vpcName))
}

/** Message about an existing rule with the same name. */
export const RULE_NAME_TAKEN = 'Name taken. To update an existing rule, edit it directly.'

/** Form error for ports. Ports above the highest are left to the API. */
export function portRangeFieldProblem(text: string): string | undefined {
  const match = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text.trim())
  const [, first, last = first] = match ?? []
  return match && Number(last) >= Number(first) ? undefined : 'Not a valid port range'
}

/** Form error for an ICMP type. Empty means all types. */
export function icmpTypeFieldProblem(text: string): string | undefined {
  const type = text.trim()
  return type === '' || (/^\d+$/.test(type) && Number(type) <= ICMP_MAX)
    ? undefined
    : 'ICMP type must be a number between 0 and 255'
}

/** Normalizes a typed ICMP code: any dashes become one hyphen. */
export const typedIcmpCode = (text: string): string => text.replace(/[-–—]+/g, '-')

/** Form error for ICMP codes. Empty means all codes. */
export function icmpCodeFieldProblem(text: string): string | undefined {
  const code = text.trim()
  if (code === '') return undefined
  const match = /^(\d+)(?:-(\d+))?$/.exec(code)
  if (!match) return 'ICMP code must be a number or numeric range'
  const first = Number(match[1])
  if (match[2] === undefined) {
    return first > ICMP_MAX ? 'ICMP code must be between 0 and 255' : undefined
  }
  const last = Number(match[2])
  if (first > ICMP_MAX) return 'ICMP code range start must be between 0 and 255'
  if (last > ICMP_MAX) return 'ICMP code range end must be between 0 and 255'
  return first > last ? 'ICMP code range start must be less than or equal to range end' : undefined
}

/** Suggested types; any other number is allowed as well. */
export const icmpTypes: Record<IcmpProtocol, readonly (readonly [number, string])[]> = {
  icmp: [
    [0, 'Echo Reply'],
    [3, 'Destination Unreachable'],
    [5, 'Redirect Message'],
    [8, 'Echo Request'],
    [9, 'Router Advertisement'],
    [10, 'Router Solicitation'],
    [11, 'Time Exceeded'],
    [12, 'Parameter Problem'],
    [13, 'Timestamp Request'],
    [14, 'Timestamp Reply'],
  ],
  icmp6: [
    [1, 'Destination Unreachable'],
    [2, 'Packet Too Big'],
    [3, 'Time Exceeded'],
    [4, 'Parameter Problem'],
    [128, 'Echo Request'],
    [129, 'Echo Reply'],
    [130, 'Multicast Listener Query'],
    [131, 'Multicast Listener Report'],
    [132, 'Multicast Listener Done'],
    [133, 'Router Solicitation'],
    [134, 'Router Advertisement'],
    [135, 'Neighbor Solicitation'],
    [136, 'Neighbor Advertisement'],
    [137, 'Redirect Message'],
  ],
}

export const icmpTypeName = (protocol: IcmpProtocol, type: number): string | undefined =>
  icmpTypes[protocol].find(([number]) => number === type)?.[1]

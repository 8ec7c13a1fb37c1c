/** Firewall rules as access control lists of a port group with all interfaces of the VPC. */
import { DENIED_AT_ONCE, DENIED_EACH_SECOND } from '@steading/api/rules'
import type { Hosts, Rule, Vpc } from '@steading/network'
import type { Selection } from '@steading/network'
import {
  aclName,
  families,
  meterName,
  networksOf,
  outsideName,
  shortOf,
  subnetAddresses,
  versions,
  wordOf,
} from './names.ts'
import { type DesiredRow, keysOf, row } from './rows.ts'
import { answering } from './translation.ts'

/** Priority of the first rule; a VPC has at most 1,024. OVN's highest is 32,767. */
const FIRST_PRIORITY = 30_000
/** Priority of the rule that denies other inbound traffic, and of the one that allows outbound. */
const DEFAULT_PRIORITY = 1

const isAll = (spans: readonly (readonly [number, number])[], first: number): boolean =>
  spans.length === 1 && spans[0]![0] <= first && spans[0]![1] === 65_535

/** The condition for some ports of TCP or UDP; at the receiver. */
function portCondition(protocol: 'tcp' | 'udp', spans: readonly (readonly [number, number])[]) {
  if (isAll(spans, 1)) return protocol
  const single = spans.filter(([first, last]) => first === last).map(([port]) => port)
  const wide = spans
    .filter(([first, last]) => first !== last)
    .map(([first, last]) => `(${protocol}.dst >= ${first} && ${protocol}.dst <= ${last})`)
  const parts = [
    ...(single.length > 0 ? [`${protocol}.dst == {${single.join(', ')}}`] : []),
    ...wide,
  ]
  return parts.length === 1 ? parts[0]! : `(${parts.join(' || ')})`
}

/** The condition for some types and codes of ICMP, which the model keeps as one number. */
function icmpCondition(
  protocol: 'icmp4' | 'icmp6',
  spans: readonly (readonly [number, number])[],
): string {
  if (isAll(spans, 0)) return protocol
  const parts = spans.flatMap(([first, last]) => {
    const conditions: string[] = []
    for (let from = first; from <= last;) {
      const type = Math.floor(from / 256)
      const end = Math.min(last, type * 256 + 255)
      const codes = [from % 256, end % 256] as const
      const isWhole = codes[0] === 0 && codes[1] === 255
      const code =
        codes[0] === codes[1]
          ? ` && ${protocol}.code == ${codes[0]}`
          : ` && ${protocol}.code >= ${codes[0]} && ${protocol}.code <= ${codes[1]}`
      conditions.push(`(${protocol}.type == ${type}${isWhole ? '' : code})`)
      from = end + 1
    }
    return conditions
  })
  return parts.length === 1 ? parts[0]! : `(${parts.join(' || ')})`
}

/** The condition for the traffic that a rule selects; undefined if that is none. */
function selectionCondition({ row: { filters }, selection }: Rule): string | undefined {
  if (!filters.protocols?.length && !filters.ports?.length) return 'ip'
  const { tcp, udp, icmp, icmp6 }: Selection = selection
  const parts = [
    ...(tcp?.length ? [portCondition('tcp', tcp)] : []),
    ...(udp?.length ? [portCondition('udp', udp)] : []),
    ...(icmp?.length ? [icmpCondition('icmp4', icmp)] : []),
    ...(icmp6?.length ? [icmpCondition('icmp6', icmp6)] : []),
  ]
  if (parts.length === 0) return undefined
  return parts.length === 1 ? parts[0] : `(${parts.join(' || ')})`
}

/** The sets of rules, each made once however many rules have it. */
class Sets {
  readonly rows: DesiredRow[] = []
  readonly #vpc: Vpc
  readonly #known = new Map<object, string>()

  constructor(vpc: Vpc) {
    this.#vpc = vpc
  }

  #name(text: string): string {
    return `s_${wordOf(this.#vpc.row.id)}_${shortOf(text)}`
  }

  /** Name of the port group with some interfaces. */
  targets({ row: { targets }, targets: ids }: Rule): string {
    const known = this.#known.get(ids)
    if (known) return known
    const text = JSON.stringify(targets)
    const name = this.#name(`targets ${text}`)
    this.#known.set(ids, name)
    this.rows.push(
      row('Port_Group', `targets ${text}`, { name, ports: [...ids].map((id) => `nic ${id}`) }),
    )
    return name
  }

  /** Beginning of the names of the address sets with some hosts; the version follows. */
  hosts(rule: Rule, hosts: Hosts): string {
    const known = this.#known.get(hosts)
    if (known) return known
    const text = JSON.stringify(rule.row.filters.hosts)
    const name = this.#name(`hosts ${text}`)
    this.#known.set(hosts, name)
    for (const version of versions) {
      const addresses = hosts.ranges[version].flatMap(networksOf)
      const key = `hosts ${version} ${text}`
      this.rows.push(row('Address_Set', key, { name: `${name}_${version}`, addresses }))
    }
    return name
  }
}

/** Name of the port group with all interfaces of a VPC. */
const everyone = (vpc: Vpc): string => `s_${wordOf(vpc.row.id)}`
/** Name of the address set with a VPC's subnets, without the version. */
const inside = (vpc: Vpc): string => `s_${wordOf(vpc.row.id)}_inside`

function hostCondition(vpc: Vpc, rule: Rule, sets: Sets): string {
  const { hosts } = rule
  if (!hosts) return ''
  const side = rule.row.direction === 'inbound' ? 'src' : 'dst'
  const name = sets.hosts(rule, hosts)
  const parts = versions.flatMap((version) => [
    `${families[version]}.${side} == $${name}_${version}`,
    ...(hosts.inside ? [`${families[version]}.${side} == $${inside(vpc)}_${version}`] : []),
  ])
  return ` && (${parts.join(' || ')})`
}

/**
 * The router leads traffic to the external addresses of its own VPC back at once, before the uplink
 * could refuse a private source. Answers pass all the same, because they belong to a connection.
 */
function hairpinRows(vpc: Vpc): { acls: DesiredRow[]; groups: DesiredRow[] } {
  const acls: DesiredRow[] = []
  const groups: DesiredRow[] = []
  for (const version of versions) {
    const some = answering(vpc, version)
    if (some.length === 0) continue
    const name = `${everyone(vpc)}_answering_${version}`
    groups.push(
      row('Port_Group', `answering ${version}`, {
        name,
        ports: some.map(({ row: { id } }) => `nic ${id}`),
      }),
    )
    acls.push(
      row('ACL', `answering ${version}`, {
        direction: 'from-lport',
        priority: FIRST_PRIORITY + 1,
        match: `inport == @${name} && ${families[version]}.dst == $${outsideName(vpc.row.id)}_${version}`,
        action: 'drop',
      }),
    )
  }
  return { acls, groups }
}

/**
 * Limits the denied packets in the log of a host: enough for a person who tries something, and little
 * for a stranger who sends without end.
 */
function meterRows(vpc: Vpc): DesiredRow[] {
  const band = row('Meter_Band', 'logged', {
    action: 'drop',
    rate: DENIED_EACH_SECOND,
    burst_size: DENIED_AT_ONCE,
  })
  return [
    band,
    row('Meter', 'logged', { name: meterName(vpc.row.id), unit: 'pktps', bands: [band.key] }),
  ]
}

/** Keys of the decisions that no rule makes. */
export const otherwiseKeys = {
  inbound: 'denied by default',
  outbound: 'allowed by default',
} as const

const RULE_KEY = 'rule '
/** The name of a rule is its key: rules get new ids each time that they are replaced. */
const ruleKey = (name: string): string => `${RULE_KEY}${name}`
/** The rule whose list has a key; undefined if it is none of a rule. */
export const ruleOfKey = (key: string): string | undefined =>
  key.startsWith(RULE_KEY) ? key.slice(RULE_KEY.length) : undefined

const directions = {
  inbound: { direction: 'to-lport', port: 'outport' },
  outbound: { direction: 'from-lport', port: 'inport' },
} as const

/** Requests for addresses, which OVN answers: no rule that denies outbound traffic is meant for them. */
function addressRequests(vpc: Vpc): DesiredRow {
  const servers = vpc.subnets.map(({ row: subnet }) => subnetAddresses(subnet).v4.gateway)
  const v4 = `ip4.dst == {255.255.255.255, ${servers.join(', ')}} && udp.src == 68 && udp.dst == 67`
  const v6 = 'ip6.dst == ff02::1:2 && udp.src == 546 && udp.dst == 547'
  return row('ACL', 'address requests', {
    direction: 'from-lport',
    priority: FIRST_PRIORITY + 2,
    match: `inport == @${everyone(vpc)} && ((${v4}) || (${v6}))`,
    action: 'allow',
  })
}

/**
 * The rules of a VPC. Inbound traffic that no rule allows is denied, outbound traffic that no rule
 * denies is allowed, and answers are allowed. Addresses and neighbours never depend on rules.
 */
export function firewallRows(vpc: Vpc): DesiredRow[] {
  if (vpc.interfaces.length === 0) return []
  const sets = new Sets(vpc)
  const denied = (key: string) => ({
    name: aclName(vpc.row.id, key),
    action: 'drop',
    log: true,
    severity: 'info',
    meter: meterName(vpc.row.id),
  })
  const rules = vpc.rules.flatMap((rule, rank): DesiredRow[] => {
    const { name, status, direction, action } = rule.row
    const selected = selectionCondition(rule)
    // OVN does not know the name of a group without ports.
    if (status === 'disabled' || selected === undefined || rule.targets.size === 0) return []
    const way = directions[direction]
    const targets = `${way.port} == @${sets.targets(rule)}`
    const key = ruleKey(name)
    return [
      row('ACL', key, {
        direction: way.direction,
        priority: FIRST_PRIORITY - rank,
        match: `${targets}${hostCondition(vpc, rule, sets)} && ${selected}`,
        ...(action === 'allow' ? { action: 'allow-related' } : denied(key)),
      }),
    ]
  })
  const otherwise = [
    row('ACL', otherwiseKeys.inbound, {
      direction: 'to-lport',
      priority: DEFAULT_PRIORITY,
      match: `outport == @${everyone(vpc)} && ip`,
      ...denied(otherwiseKeys.inbound),
    }),
    row('ACL', otherwiseKeys.outbound, {
      direction: 'from-lport',
      priority: DEFAULT_PRIORITY,
      match: `inport == @${everyone(vpc)} && ip`,
      action: 'allow-related',
    }),
  ]
  const hairpin = hairpinRows(vpc)
  const acls = [addressRequests(vpc), ...hairpin.acls, ...rules, ...otherwise]
  return [
    ...acls,
    ...hairpin.groups,
    ...meterRows(vpc),
    ...sets.rows,
    ...versions.map((version) =>
      row('Address_Set', `inside ${version}`, {
        name: `${inside(vpc)}_${version}`,
        addresses: vpc.subnets.map(({ row: subnet }) =>
          version === 'v4' ? subnet.ipv4_block : subnet.ipv6_block,
        ),
      }),
    ),
    row('Port_Group', 'every interface', {
      name: everyone(vpc),
      ports: vpc.interfaces.map(({ row: { id } }) => `nic ${id}`),
      acls: keysOf(acls),
    }),
  ]
}

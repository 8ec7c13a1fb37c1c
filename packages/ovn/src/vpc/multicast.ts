/**
 * Multicast groups in a VPC: switches learn by IGMP and MLD which guests have joined, routers
 * relay between subnets, and rules let packets through to members only.
 */
import { ipVersion } from '@steading/api/rules'
import type { VpcMulticastGroup } from '@steading/control-plane/ports'
import type { SubnetRow, Vpc } from '@steading/network'
import { families, linkLocal, macOf, routerPortName, subnetAddresses, wordOf } from './names.ts'
import { type DesiredRow, keysOf, row } from './rows.ts'

/** Before all firewall rules, which say nothing about multicast. */
const PRIORITY = { members: 32_002, others: 32_001 }
/** Before the routes of all subnets. */
const POLICY_PRIORITY = 32_000

const listed = (texts: readonly string[]): string => `{${[...texts].toSorted().join(', ')}}`

/** The members that accept packets from the same sources, by these. */
function bySources({ members }: VpcMulticastGroup): Map<string, string[]> {
  const ports = new Map<string, string[]>()
  for (const { interfaceId, sources } of members) {
    const from = sources.length === 0 ? '' : listed(sources)
    ports.set(from, [...(ports.get(from) ?? []), `"${interfaceId}"`])
  }
  return ports
}

function groupRows(everyone: string, group: VpcMulticastGroup): DesiredRow[] {
  const family = families[ipVersion(group.address)!]
  const to = `${family}.dst == ${group.address}`
  const members = [...bySources(group)].map(([from, ports]) =>
    row('ACL', `multicast ${group.id} from ${from || 'anywhere'}`, {
      direction: 'to-lport',
      priority: PRIORITY.members,
      match: `outport == ${listed(ports)} && ${to}${from && ` && ${family}.src == ${from}`}`,
      action: 'allow',
    }),
  )
  return [
    row('ACL', `multicast ${group.id}`, {
      direction: 'from-lport',
      priority: PRIORITY.members,
      match: `inport == @${everyone} && ${to}`,
      action: 'allow',
    }),
    ...members,
    row('ACL', `multicast ${group.id} to others`, {
      direction: 'to-lport',
      priority: PRIORITY.others,
      match: `outport == @${everyone} && ${to}`,
      action: 'drop',
    }),
  ]
}

/** The settings of a switch in a VPC with groups. */
export function snooping(subnet: SubnetRow): Record<string, string> {
  const mac = macOf(routerPortName(subnet.id))
  return {
    mcast_snoop: 'true',
    mcast_querier: 'true',
    mcast_eth_src: mac,
    mcast_ip4_src: subnetAddresses(subnet).v4.gateway,
    mcast_ip6_src: linkLocal(mac),
  }
}

/** What the router relays, before its routes decide. */
export const relayPolicy = (): DesiredRow =>
  row('Logical_Router_Policy', 'policy for multicast', {
    priority: POLICY_PRIORITY,
    match: 'ip4.mcast || ip6.mcast',
    action: 'allow',
  })

export function multicastRows(
  { row: { id }, interfaces }: Vpc,
  groups: readonly VpcMulticastGroup[],
): DesiredRow[] {
  if (groups.length === 0) return []
  const everyone = `s_${wordOf(id)}_multicast`
  const queries = (['from-lport', 'to-lport'] as const).map((direction) =>
    row('ACL', `multicast queries ${direction}`, {
      direction,
      priority: PRIORITY.members,
      match: `${direction === 'from-lport' ? 'inport' : 'outport'} == @${everyone} && igmp`,
      action: 'allow',
    }),
  )
  const acls = [...queries, ...groups.flatMap((group) => groupRows(everyone, group))]
  return [
    ...acls,
    row('Port_Group', 'multicast', {
      name: everyone,
      ports: interfaces.map(({ row: nic }) => `nic ${nic.id}`),
      acls: keysOf(acls),
    }),
  ]
}

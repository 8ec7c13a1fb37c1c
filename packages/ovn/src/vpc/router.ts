/** The router of a VPC: its ports in the subnets, and the routes of these as policies. */
import { formatAddress } from '@steading/api/rules'
import type { VpcMulticastGroup } from '@steading/control-plane/ports'
import type { Route, RouteTable, SubnetRow, Vpc } from '@steading/network'
import {
  families,
  macOf,
  networksOf,
  routerName,
  routerPortName,
  subnetAddresses,
  versions,
  wordOf,
} from './names.ts'
import { relayPolicy } from './multicast.ts'
import { mtusIn, narrowing } from './packet-sizes.ts'
import { type DesiredRow, keysOf, row } from './rows.ts'
import { sharedGroupRows } from './shared-groups.ts'
import { translationRows, sourcesThrough } from './translation.ts'
import { uplinkAddresses, type Uplink, uplinkRows } from './uplink.ts'

const FIRST_PRIORITY = 30_000

function subnetPort(vpc: Vpc, subnet: SubnetRow, usual: number): DesiredRow {
  const { v4, v6 } = subnetAddresses(subnet)
  const name = routerPortName(subnet.id)
  const mtus = mtusIn(vpc, usual, subnet)
  return row('Logical_Router_Port', `port ${subnet.id}`, {
    name,
    mac: macOf(name),
    networks: [`${v4.gateway}/${v4.width}`, `${v6.gateway}/${v6.width}`],
    ipv6_ra_configs: {
      address_mode: 'dhcpv6_stateful',
      send_periodic: 'true',
      // All guests of the subnet are told the same. Where they differ, each knows it by DHCP.
      ...(mtus.length === 1 && { mtu: String(mtus[0]) }),
    },
    ...narrowing(vpc, usual, mtus[0]),
  })
}

/** Subnets by the routes that apply in them. */
function tablesOf(vpc: Vpc): Map<RouteTable, SubnetRow[]> {
  const tables = new Map<RouteTable, SubnetRow[]>()
  for (const { row: subnet, routes } of vpc.subnets) {
    const same = tables.get(routes)
    if (same) same.push(subnet)
    else tables.set(routes, [subnet])
  }
  return tables
}

/** Name of the address set with what gateways let out, without the version. */
const sourcesName = (vpc: Vpc): string => `s_${wordOf(vpc.row.id)}_sources`

type Verdict = { action: 'allow' | 'drop' } | { action: 'reroute'; nexthops: string[] }

/** The verdicts of a route, in the order in which their conditions are tried. */
function verdictsOf(
  vpc: Vpc,
  { next, destination: { version } }: Route,
): { condition?: string; verdict: Verdict }[] {
  switch (next.type) {
    case 'drop':
      return [{ verdict: { action: 'drop' } }]
    case 'subnet': {
      const block = subnetAddresses(next.subnet)[version].network
      return [
        { condition: `${families[version]}.dst == ${block}`, verdict: { action: 'allow' } },
        { verdict: { action: 'drop' } },
      ]
    }
    case 'interface': {
      const address = next.at.addresses[version]
      return [
        {
          verdict: address
            ? { action: 'reroute', nexthops: [formatAddress(address)] }
            : { action: 'drop' },
        },
      ]
    }
    case 'gateway':
      return [
        {
          condition: `${families[version]}.src == $${sourcesName(vpc)}_${version}`,
          verdict: { action: 'reroute', nexthops: [uplinkAddresses[version].beyond] },
        },
        { verdict: { action: 'drop' } },
      ]
  }
}

/**
 * The routes of the subnets with the same routers. A policy decides instead of the router's own
 * routes, so that the order of the network model holds, in which a custom route may come before a
 * subnet.
 */
function policyRows(vpc: Vpc, { routes }: RouteTable, subnets: readonly SubnetRow[]): DesiredRow[] {
  const from = `inport == {${subnets.map(({ id }) => `"${routerPortName(id)}"`).join(', ')}}`
  const ids = subnets.map(({ id }) => id).join(' ')
  let priority = FIRST_PRIORITY
  const rows = routes.flatMap((route) => {
    const { version } = route.destination
    const destination = networksOf(route.destination)[0]!
    const towards = `${from} && ${families[version]}.dst == ${destination}`
    return verdictsOf(vpc, route).map(({ condition, verdict }, at) =>
      row('Logical_Router_Policy', `policy ${route.row.id} ${version} ${at} of ${ids}`, {
        priority: priority--,
        match: condition ? `${towards} && ${condition}` : towards,
        action: verdict.action,
        ...('nexthops' in verdict && { nexthops: verdict.nexthops }),
      }),
    )
  })
  const none = row('Logical_Router_Policy', `policy without a route of ${ids}`, {
    priority: priority--,
    match: from,
    action: 'drop',
  })
  return [...rows, none]
}

export function routerRows(
  vpc: Vpc,
  mtu: number,
  uplink: Uplink,
  groups: readonly VpcMulticastGroup[],
): DesiredRow[] {
  const relays = groups.length > 0
  const ports = vpc.subnets.map(({ row: subnet }) => subnetPort(vpc, subnet, mtu))
  const policies = [
    ...(relays ? [relayPolicy()] : []),
    ...[...tablesOf(vpc)].flatMap(([table, subnets]) => policyRows(vpc, table, subnets)),
  ]
  const sources = versions.map((version) =>
    row('Address_Set', `sources ${version}`, {
      name: `${sourcesName(vpc)}_${version}`,
      addresses: sourcesThrough(vpc, version),
    }),
  )
  const nat = translationRows(vpc)
  const outside = uplinkRows(vpc, mtu, uplink)
  const between = sharedGroupRows(vpc, uplink.network, groups)
  return [
    ...ports,
    ...policies,
    ...sources,
    ...nat,
    ...outside.ports,
    ...outside.routes,
    ...outside.rows,
    ...between.ports,
    ...between.rows,
    row('Logical_Router', 'router', {
      name: routerName(vpc.row.id),
      ports: keysOf([...ports, ...outside.ports, ...between.ports]),
      policies: keysOf(policies),
      nat: keysOf(nat),
      static_routes: keysOf(outside.routes),
      ...(relays && { options: { mcast_relay: 'true' } }),
    }),
  ]
}

/** The way of a VPC to the network outside of all VPCs. */
import type { Vpc } from '@steading/network'
import {
  families,
  linkLocal,
  macOf,
  outsideName,
  uplinkNetworkName,
  uplinkPortName,
  versions,
} from './names.ts'
import { narrowing } from './packet-sizes.ts'
import { type DesiredRow, keysOf, row } from './rows.ts'
import { portsOf } from './translation.ts'

export interface Uplink {
  /** Name of the network in `ovn-bridge-mappings` of the chassis. */
  network: string
  /** Chassis that translate addresses, the preferred one first. */
  chassis: readonly string[]
}

/**
 * The addresses at both ends of the uplink. They are the same for all VPCs, because nobody talks to
 * the routers themselves: packets from outside find a router by the external addresses that it
 * answers for.
 */
export const uplinkAddresses = {
  v4: { own: '169.254.64.2/30', beyond: '169.254.64.1' },
  v6: { own: 'fdf2:6a9c:4c5e:1::2/64', beyond: 'fdf2:6a9c:4c5e:1::1' },
} as const

const everything = { v4: '0.0.0.0/0', v6: '::/0' } as const

/** Addresses that exist outside: those of instances, and the router's own, for its errors. */
function outsideAddresses({ interfaces }: Vpc, version: 'v4' | 'v6'): string[] {
  const instances = new Set(interfaces.map(({ instance }) => instance))
  const own = uplinkAddresses[version].own.split('/')[0]!
  const external = [...instances].flatMap(({ externalIps, externalSubnets }) => [
    ...externalIps.flatMap(({ row: { ip }, address }) => (address.version === version ? [ip] : [])),
    ...externalSubnets.flatMap(({ row: { subnet }, range }) =>
      range.version === version ? [subnet] : [],
    ),
  ])
  return [...new Set([own, ...external])]
}

/** External subnets of the instances of a VPC, with the addresses to which they lead. */
const attachedSubnets = ({ interfaces }: Vpc) =>
  interfaces.flatMap(({ row: nic, instance }) =>
    instance.externalSubnets.flatMap(({ row: { id, subnet }, range }) => {
      const nexthop = range.version === 'v4' ? nic.ipv4 : nic.ipv6
      return nic.primary && nexthop !== null ? [{ id, subnet, nexthop }] : []
    }),
  )

/** External subnets lead to the primary interface of their instance, without translation. */
const subnetRoutes = (vpc: Vpc): DesiredRow[] =>
  attachedSubnets(vpc).map(({ id, subnet, nexthop }) =>
    row('Logical_Router_Static_Route', `external subnet ${id}`, { ip_prefix: subnet, nexthop }),
  )

export interface HostRoute {
  /** An address or a network. */
  destination: string
  /** Ports of an address that instances share, including both. */
  ports?: readonly [first: number, last: number]
}

/** The next hop of the routes of a host to a VPC, also for IPv4 (RFC 8950). */
export const nextHopTo = (vpcId: string): string => linkLocal(macOf(uplinkPortName(vpcId)))

/** The external addresses and subnets to which hosts need routes by way of the router of a VPC. */
export function hostRoutes(vpc: Vpc): HostRoute[] {
  const instances = new Set(vpc.interfaces.map(({ instance }) => instance))
  const addresses = [...instances].flatMap(({ externalIps }) =>
    externalIps.map(({ row: external }): HostRoute => ({
      destination: external.ip,
      ...(external.kind === 'snat' && { ports: portsOf(external) }),
    })),
  )
  const subnets = attachedSubnets(vpc).map(({ subnet }): HostRoute => ({ destination: subnet }))
  return [...addresses, ...subnets]
}

interface UplinkRows {
  /** Ports and routes of the router. */
  ports: DesiredRow[]
  routes: DesiredRow[]
  /** All others. */
  rows: DesiredRow[]
}

/** @param mtu bytes of the largest packet that gets out */
export function uplinkRows(vpc: Vpc, mtu: number, { network, chassis }: Uplink): UplinkRows {
  const { id } = vpc.row
  const name = uplinkPortName(id)
  const places = chassis.map((place, at) =>
    row('Gateway_Chassis', `chassis ${place}`, {
      name: `${name}-${place}`,
      chassis_name: place,
      priority: chassis.length - at,
    }),
  )
  const port = row('Logical_Router_Port', 'uplink', {
    name,
    mac: macOf(name),
    networks: versions.map((version) => uplinkAddresses[version].own),
    gateway_chassis: keysOf(places),
    ...narrowing(vpc, mtu, mtu),
  })
  // Policies decide after the routes of the router; without a route a packet would not get there.
  const routes = versions.map((version) =>
    row('Logical_Router_Static_Route', `everything ${version}`, {
      ip_prefix: everything[version],
      nexthop: uplinkAddresses[version].beyond,
      output_port: name,
    }),
  )

  const external = `${name}-router`
  const setName = (version: 'v4' | 'v6') => `${outsideName(id)}_${version}`
  const sets = versions.map((version) =>
    row('Address_Set', `outside ${version}`, {
      name: setName(version),
      addresses: outsideAddresses(vpc, version),
    }),
  )
  // Private addresses neither leave the VPC nor get in.
  const sides = [
    { key: 'sources', direction: 'from-lport', port: 'inport', side: 'src' },
    { key: 'destinations', direction: 'to-lport', port: 'outport', side: 'dst' },
  ] as const
  const acls = sides.flatMap(({ key, direction, port, side }) => {
    const here = `${port} == "${external}"`
    const known = versions.map((version) => `${families[version]}.${side} == $${setName(version)}`)
    return [
      row('ACL', `external ${key}`, {
        direction,
        priority: 2,
        match: `${here} && (${[...known, 'nd', 'nd_rs', 'nd_ra'].join(' || ')})`,
        action: 'allow',
      }),
      row('ACL', `no other ${key}`, {
        direction,
        priority: 1,
        match: `${here} && ip`,
        action: 'drop',
      }),
    ]
  })
  const ports = [
    row('Logical_Switch_Port', 'uplink, router', {
      name: external,
      type: 'router',
      addresses: ['router'],
      options: {
        'router-port': name,
        'nat-addresses': 'router',
      },
    }),
    row('Logical_Switch_Port', 'uplink, network', {
      name: uplinkNetworkName(id),
      type: 'localnet',
      addresses: ['unknown'],
      options: { network_name: network },
    }),
  ]
  return {
    ports: [port],
    routes: [...routes, ...subnetRoutes(vpc)],
    rows: [
      ...places,
      ...sets,
      ...acls,
      ...ports,
      row('Logical_Switch', 'uplink switch', {
        name: `outside-${id}`,
        ports: keysOf(ports),
        acls: keysOf(acls),
      }),
    ],
  }
}

/**
 * Multicast groups with members in several VPCs: the router of each such VPC has one more port, at a
 * switch that has nothing but groups, and all these switches are one network.
 */
import { ipVersion } from '@steading/api/rules'
import type { VpcMulticastGroup } from '@steading/control-plane/ports'
import type { Vpc } from '@steading/network'
import { families, groupsPortName, macOf } from './names.ts'
import { type DesiredRow, keysOf, row } from './rows.ts'

/** The VLAN of groups in the network of the uplinks, where the host has no part in it. */
const VLAN = 4000
/** Routers have to have an address at each port. Nobody uses this one, so all have the same. */
const ADDRESS = '169.254.65.1/30'

interface SharedGroupRows {
  /** Ports of the router. */
  ports: DesiredRow[]
  /** All others. */
  rows: DesiredRow[]
}

/**
 * @param network that of the uplinks, in `ovn-bridge-mappings`
 * @param groups all of the VPC
 */
export function sharedGroupRows(
  vpc: Vpc,
  network: string,
  groups: readonly VpcMulticastGroup[],
): SharedGroupRows {
  const shared = groups.filter(({ isShared }) => isShared)
  if (shared.length === 0) return { ports: [], rows: [] }
  const name = groupsPortName(vpc.row.id)
  const port = row('Logical_Router_Port', 'groups', {
    name,
    mac: macOf(name),
    networks: [ADDRESS],
    // What routers hear here they relay to members only, and never back.
    options: { mcast_flood: 'true' },
  })
  const here = `${name}-router`
  const sides = [
    { direction: 'from-lport', port: 'inport' },
    { direction: 'to-lport', port: 'outport' },
  ] as const
  const acls = sides.flatMap(({ direction, port: side }) => {
    const at = `${side} == "${here}"`
    return [
      ...shared.map(({ id, address }) =>
        row('ACL', `groups, ${direction} ${id}`, {
          direction,
          priority: 2,
          match: `${at} && ${families[ipVersion(address)!]}.dst == ${address}`,
          action: 'allow',
        }),
      ),
      row('ACL', `groups, no other ${direction}`, {
        direction,
        priority: 1,
        match: at,
        action: 'drop',
      }),
    ]
  })
  const ports = [
    row('Logical_Switch_Port', 'groups, router', {
      name: here,
      type: 'router',
      addresses: ['router'],
      options: { 'router-port': name },
    }),
    row('Logical_Switch_Port', 'groups, network', {
      name: `${name}-network`,
      type: 'localnet',
      addresses: ['unknown'],
      options: { network_name: network },
      tag: VLAN,
    }),
  ]
  return {
    ports: [port],
    rows: [
      ...acls,
      ...ports,
      row('Logical_Switch', 'groups switch', {
        name,
        ports: keysOf(ports),
        acls: keysOf(acls),
      }),
    ],
  }
}

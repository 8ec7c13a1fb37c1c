/** Subnets as switches, interfaces as their ports, and the answers that guests get by DHCP. */
import { formatAddress } from '@steading/api/rules'
import type { Interface, SubnetRow, Vpc } from '@steading/network'
import type { DesiredRow } from './rows.ts'
import { keysOf, row } from './rows.ts'
import { macOf, routerPortName, subnetAddresses, switchName } from './names.ts'
import { snooping } from './multicast.ts'
import { mtuOf, mtusIn } from './packet-sizes.ts'

export interface GuestSettings {
  /** Bytes of the largest packet, unless an instance has a size of its own. */
  mtu: number
  /** Servers that answer names outside of the VPC; none of a version if there is none. */
  nameServers: Readonly<Record<'v4' | 'v6', readonly string[]>>
}

/** Seconds for which an address is leased. */
const LEASE_S = 3600

/** The addresses of an interface. */
const ownAddresses = ({ addresses }: Interface): string[] =>
  [addresses.v4, addresses.v6].flatMap((address) => (address ? [formatAddress(address)] : []))

/** Networks from which an interface may send, and for which it receives, besides its addresses. */
function extraNetworks({ row: { primary }, transit, instance }: Interface): string[] {
  const attached = primary ? instance.externalSubnets.map(({ row: { subnet } }) => subnet) : []
  return [...transit.map(({ text }) => text), ...attached]
}

const quoted = (text: string): string => `"${text}"`
const braced = (texts: readonly string[]): string =>
  texts.length === 1 ? texts[0]! : `{${texts.join(', ')}}`

/** Key of the answers for an interface. */
const dhcpKey = (primary: boolean, mtu: number, subnet: SubnetRow): string =>
  `${primary ? 'primary' : 'further'} v4 ${mtu} ${subnet.id}`

function dhcpRows(
  subnet: SubnetRow,
  vpc: Vpc,
  { mtu: usual, nameServers }: GuestSettings,
): DesiredRow[] {
  const { v4, v6 } = subnetAddresses(subnet)
  const mac = macOf(routerPortName(subnet.id))
  const domain = quoted(vpc.row.dns_name)
  const common = {
    server_id: v4.gateway,
    server_mac: mac,
    lease_time: String(LEASE_S),
  }
  const names = {
    ...(nameServers.v4.length > 0 && { dns_server: braced(nameServers.v4) }),
    domain_name: domain,
  }
  return [
    ...mtusIn(vpc, usual, subnet).flatMap((mtu) =>
      [true, false].map((primary) =>
        row('DHCP_Options', dhcpKey(primary, mtu, subnet), {
          cidr: v4.network,
          options: {
            ...common,
            mtu: String(mtu),
            // Further interfaces lead to their own subnet only.
            ...(primary && { ...names, router: v4.gateway }),
          },
        }),
      ),
    ),
    row('DHCP_Options', `v6 ${subnet.id}`, {
      cidr: v6.network,
      options: {
        server_id: mac,
        ...(nameServers.v6.length > 0 && { dns_server: braced(nameServers.v6) }),
        domain_search: domain,
      },
    }),
  ]
}

/** Guests choose their link-local address, often other than by their MAC address (RFC 7217). */
const LINK_LOCAL = 'fe80::/64'

function portRow(at: Interface, mtu: number): DesiredRow {
  const { row: nic, addresses, subnet } = at
  const own = ownAddresses(at)
  const more = [...(addresses.v6 ? [LINK_LOCAL] : []), ...extraNetworks(at)]
  return row('Logical_Switch_Port', `nic ${nic.id}`, {
    name: nic.id,
    addresses: [[nic.mac, ...own].join(' ')],
    port_security: [[nic.mac, ...own, ...more].join(' ')],
    dhcpv4_options: addresses.v4 ? dhcpKey(nic.primary, mtuOf(at, mtu), subnet) : null,
    dhcpv6_options: addresses.v6 ? `v6 ${subnet.id}` : null,
  })
}

const routerSidePort = (subnet: SubnetRow): DesiredRow =>
  row('Logical_Switch_Port', `to the router ${subnet.id}`, {
    name: `${switchName(subnet.id)}-router`,
    type: 'router',
    addresses: ['router'],
    options: { 'router-port': routerPortName(subnet.id) },
  })

/** Names of instances in their VPC, alone and with the name of the VPC. */
function nameRecords({ row: { dns_name }, interfaces }: Vpc): Record<string, string> {
  const records: Record<string, string> = {}
  for (const at of interfaces) {
    if (!at.row.primary || at.instance.row.probe) continue
    const { name } = at.instance.row
    const addresses = ownAddresses(at).join(' ')
    records[name] = addresses
    records[`${name}.${dns_name}`] = addresses
  }
  return records
}

/** @param relays whether the VPC has multicast groups */
export function switchRows(vpc: Vpc, settings: GuestSettings, relays: boolean): DesiredRow[] {
  const names = row('DNS', 'names', { records: nameRecords(vpc) })
  return [
    names,
    ...vpc.subnets.flatMap(({ row: subnet }): DesiredRow[] => {
      const ports = [
        routerSidePort(subnet),
        ...vpc.interfaces
          .filter((at) => at.subnet.id === subnet.id)
          .map((at) => portRow(at, settings.mtu)),
      ]
      return [
        ...dhcpRows(subnet, vpc, settings),
        ...ports,
        row('Logical_Switch', `switch ${subnet.id}`, {
          name: switchName(subnet.id),
          ports: keysOf(ports),
          dns_records: [names.key],
          ...(relays && { other_config: snooping(subnet) }),
        }),
      ]
    }),
  ]
}

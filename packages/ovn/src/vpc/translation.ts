/** External addresses of instances as translations of the router. */
import { formatAddress, type IpVersion } from '@steading/api/rules'
import {
  type ExternalIp,
  type ExternalIpRow,
  type Interface,
  translationOf,
  type Vpc,
} from '@steading/network'
import { versions } from './names.ts'
import { type DesiredRow, row } from './rows.ts'

/**
 * The external address with which an interface begins connections: that of the first gateway that
 * has one for it. OVN translates by router, so a second gateway with another address for the same
 * instance is not told apart.
 */
function outgoing(at: Interface, version: IpVersion): ExternalIp | undefined {
  const address = at.addresses[version]
  if (!address) return undefined
  for (const gateway of at.vpc.gateways) {
    const found = translationOf(gateway, at, address)
    if ('external' in found) return found.external
  }
  return undefined
}

/**
 * Addresses that gateways let out: those with an external address, though perhaps only for answers,
 * and external subnets.
 */
export const sourcesThrough = ({ interfaces }: Vpc, version: IpVersion): string[] =>
  interfaces.flatMap(({ row: { primary }, addresses, instance }) => {
    if (!primary) return []
    const own = addresses[version]
    const hasExternal = instance.externalIps.some(({ address }) => address.version === version)
    return [
      ...(own && hasExternal ? [formatAddress(own)] : []),
      ...instance.externalSubnets.flatMap(({ row: { subnet }, range }) =>
        range.version === version ? [subnet] : [],
      ),
    ]
  })

/**
 * Interfaces whose external addresses no gateway uses: they answer connections from outside, and
 * begin none.
 */
export const answering = ({ interfaces }: Vpc, version: IpVersion): Interface[] =>
  interfaces.filter(
    (at) =>
      at.row.primary &&
      at.addresses[version] !== undefined &&
      at.instance.externalIps.some(({ address }) => address.version === version) &&
      outgoing(at, version) === undefined,
  )

/**
 * The ports of a SNAT address, including both. No packet has port 0, and Linux takes no rule
 * (`ip rule`) that ends with 65,535.
 */
export const portsOf = ({ first_port, last_port }: ExternalIpRow): readonly [number, number] => [
  Math.max(1, first_port),
  Math.min(last_port, 65_534),
]

export const translationRows = ({ interfaces }: Vpc): DesiredRow[] =>
  interfaces.flatMap((at) => {
    if (!at.row.primary) return []
    return versions.flatMap((version) => {
      const own = at.addresses[version]
      if (!own) return []
      const used = outgoing(at, version)
      return at.instance.externalIps.flatMap(({ row: external, address }) => {
        const isUsed = used?.row.id === external.id
        if (address.version !== version || (external.kind === 'snat' && !isUsed)) return []
        return [
          row('NAT', `external ${external.id}`, {
            type: external.kind === 'snat' ? 'snat' : isUsed ? 'dnat_and_snat' : 'dnat',
            external_ip: external.ip,
            logical_ip: formatAddress(own),
            ...(external.kind === 'snat' && {
              external_port_range: portsOf(external).join('-'),
            }),
          }),
        ]
      })
    })
  })

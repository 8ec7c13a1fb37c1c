/** Parties of a comparison: the instances of a VPC, and external networks. */
import type { Address, IpVersion } from '@steading/api/rules'
import { externalAddress, reachedBy } from './ends.ts'
import type { Network } from './model.ts'
import { isIn, isOfTheInternet, networkOf, type Range } from './ranges.ts'
import { interfaceTowards, type Start } from './walk.ts'

export type Party =
  | { type: 'instance'; id: string; name: string }
  | { type: 'outside'; name: string; address: Partial<Record<IpVersion, Address>> }

/** External networks named in rules, each with an address that no narrower one contains. */
export function* outsideNetworks(networks: readonly Network[], vpcId: string): Generator<Party> {
  const named = new Map<string, Range>()
  for (const { rows } of networks) {
    for (const { vpc_id, filters } of rows.firewall_rules) {
      if (vpc_id !== vpcId) continue
      for (const { type, value } of filters.hosts ?? []) {
        if (type === 'ip_net' && !value.endsWith('/0')) named.set(value, networkOf(value))
        if (type === 'ip') named.set(value, networkOf(`${value}/${value.includes(':') ? 128 : 32}`))
      }
    }
  }
  const ranges = [...named]
  for (const [name, range] of ranges) {
    const { version, first, last } = range
    const narrower = ranges.filter(
      ([, one]) => one.version === version && one.last - one.first < last - first,
    )
    const candidates = [first + 1n, last - 1n, (first + last) / 2n, first, last]
    const value = candidates.find(
      (one) =>
        first <= one &&
        one <= last &&
        !narrower.some(([, other]) => isIn(other, { version, value: one })),
    )
    if (value === undefined) continue
    const address = { version, value }
    if (isOfTheInternet(address)) yield { type: 'outside', name, address: { [version]: address } }
  }
}

/** Start of a packet from one end to another; undefined if there is none. */
export function startOf(
  network: Network,
  from: Party,
  to: Party,
  version: IpVersion,
): Start | undefined {
  const sender = from.type === 'instance' ? network.instances.get(from.id) : undefined
  const receiver = to.type === 'instance' ? network.instances.get(to.id) : undefined
  if (from.type === 'instance' && !sender?.interfaces.length) return undefined
  const able = receiver?.interfaces.some(({ addresses }) => addresses[version])
  if (to.type === 'instance' && !able) return undefined
  const destination =
    to.type === 'outside'
      ? to.address[version]
      : sender
        ? reachedBy(receiver!, sender.interfaces, version)?.addresses[version]
        : externalAddress(receiver!, version)
  if (!destination) return undefined
  if (from.type === 'outside') {
    const source = from.address[version]
    return source && { at: null, packet: { source, destination } }
  }
  const at = interfaceTowards(sender!.interfaces, destination)
  return at && { at, packet: { source: at.addresses[version]!, destination } }
}

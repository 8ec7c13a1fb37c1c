/** Which ports a connection gets through on, for all of them at once. */
import type { IpVersion } from '@steading/api/rules'
import { allowedPorts, decide } from './firewall.ts'
import type { Network } from './model.ts'
import {
  allPorts,
  icmpPort,
  intersect,
  isIcmp,
  type Ports,
  type Protocol,
  protocolsOf,
  without,
} from './selection.ts'
import { answerOf, echo } from './traffic.ts'
import { follow, isAnswerTo, type Start, stops, type Walk, type Ways } from './walk.ts'

/** Whether the way itself is open; machines are taken to run. */
const isOpen = ({ hops }: Walk): boolean =>
  hops.every((hop) => hop.kind === 'machine' || !stops(hop))

/** Whether the answers to a connection come back. */
function comesBack(start: Start, { back }: Ways, protocol: Protocol): boolean {
  if (!back?.end || !isOpen(back) || !isAnswerTo(start, back.end)) return false
  const port = isIcmp(protocol) ? icmpPort(echo[protocol as 'icmp'].request, 0) : 0
  const answer = answerOf({ protocol, port })!
  return back.hops.every(
    (hop) =>
      hop.kind !== 'firewall' ||
      hop.established ||
      decide(hop.at, hop.direction, hop.peer, answer.protocol, answer.port).action === 'allow',
  )
}

/** The ports of each protocol on which a packet arrives and is answered, if the machines run. */
export function openPorts(
  network: Network,
  start: Start,
  version: IpVersion,
): Partial<Record<Protocol, Ports>> {
  const ways = follow(network, start)
  const open: Partial<Record<Protocol, Ports>> = {}
  if (!isOpen(ways.there)) return open
  for (const protocol of protocolsOf(version)) {
    let ports = allPorts(protocol)
    for (const hop of ways.there.hops) {
      if (hop.kind !== 'firewall') continue
      ports = intersect(ports, allowedPorts(hop.at, hop.direction, hop.peer, protocol))
      if (ports.length === 0) break
    }
    if (ports.length > 0 && !comesBack(start, ways, protocol)) {
      if (!isIcmp(protocol)) continue
      // Of ICMP, only echo requests are answered.
      const { request } = echo[protocol as 'icmp']
      ports = without(ports, [[icmpPort(request, 0), icmpPort(request, 255)]])
    }
    if (ports.length > 0) open[protocol] = ports
  }
  return open
}

/** The ports of a machine that its host forwards, from the traffic that the rules let in. */
import {
  FORWARDED_PORTS_MAX,
  ipVersion,
  isLoopback,
  type NetworkNeed,
  parseAddress,
} from '@steading/api/rules'
import type { AddressSpan, MachineIngress, MachineNetwork } from '@steading/control-plane/ports'

/** A port that is forwarded, before the host has one for it. */
export interface Forward {
  external: string
  protocol: 'tcp' | 'udp'
  port: number
  /** The IPv4 address in the guest's subnet. */
  guest: string
}

export interface Forwards {
  forwards: Forward[]
  /** Needs of the rules that this way of forwarding does not meet. */
  notEnforced: NetworkNeed[]
}

/** Forwarded even if a range that is too wide has them. */
const usualPorts: Record<Forward['protocol'], readonly number[]> = {
  tcp: [22, 80, 443, 3389, 8080],
  udp: [53, 443, 51_820],
}

const LOOPBACK = { v4: '127.0.0.1', v6: '::1' } as const

function has(sources: readonly AddressSpan[], address: string): boolean {
  const { value } = parseAddress(address)!
  return sources.some(
    ({ first, last }) => parseAddress(first)!.value <= value && value <= parseAddress(last)!.value,
  )
}

/**
 * Whether everybody who reaches the forwarded port may reach the guest. QEMU forwards for anybody,
 * so this is decided before it listens. All clients of a loopback address are this host.
 */
const isOpen = ({ external, sources }: MachineIngress, listen: string): boolean =>
  sources === null || (isLoopback(listen) && has(sources, LOOPBACK[ipVersion(external)!]))

const width = ({ first, last }: MachineIngress): number => last - first + 1

/**
 * @param listen the address of the host that takes the traffic
 */
export function forwardsOf(
  { interfaces, ingresses, needs }: Pick<MachineNetwork, 'interfaces' | 'ingresses' | 'needs'>,
  listen: string,
): Forwards {
  const forwards: Forward[] = []
  const notEnforced = new Set<NetworkNeed>(needs.filter((need) => need !== 'ports'))
  const open = ingresses
    .filter((ingress) => isOpen(ingress, listen))
    .toSorted((a, b) => width(a) - width(b))
  for (const ingress of open) {
    const { external, protocol, first, last, address } = ingress
    const guest = interfaces
      .find(({ addresses }) => addresses.includes(address))
      ?.addresses.find((one) => ipVersion(one) === 'v4')
    if (guest === undefined) {
      notEnforced.add('ipv6')
      continue
    }
    const left = FORWARDED_PORTS_MAX - forwards.length
    const fits = width(ingress) <= left
    if (!fits) notEnforced.add('ports')
    const ports = fits
      ? Array.from({ length: width(ingress) }, (_, index) => first + index)
      : usualPorts[protocol].filter((port) => first <= port && port <= last).slice(0, left)
    for (const port of ports) forwards.push({ external, protocol, port, guest })
  }
  return { forwards, notEnforced: [...notEnforced] }
}

/** Rules of the transit IPs of a network interface (control plane 8.6). */
import {
  contains,
  type IpVersion,
  ipVersionName,
  type Network,
  networkAddress,
  parseNetwork,
} from '../../rules/ip.ts'

const forbidden = {
  v4: { multicast: '224.0.0.0/4', loopback: '127.0.0.0/8' },
  v6: { multicast: 'ff00::/8', loopback: '::1/128' },
} as const

const overlap = (a: Network, b: Network): boolean => contains(a, b) || contains(b, a)

/** Reason that an interface cannot have these transit IPs; undefined if it can. */
export function transitIpProblem(nets: readonly string[]): string | undefined {
  for (const [index, text] of nets.entries()) {
    const net = parseNetwork(text)!
    const isHost = net.width === (net.version === 'v4' ? 32 : 128)
    const what = isHost ? `transit IP ${text}` : `transit IP block ${text}`
    if (networkAddress(net).value !== net.value) return `${what} has a non-zero host identifier`
    for (const [kind, block] of Object.entries(forbidden[net.version])) {
      if (contains(parseNetwork(block)!, net)) {
        return `${what} is a ${kind} ${isHost ? 'address' : 'network'}`
      }
    }
    const earlier = nets.slice(0, index).find((other) => overlap(parseNetwork(other)!, net))
    if (earlier !== undefined) return `${what} overlaps with ${earlier}`
  }
  return undefined
}

/** Refusal of transit IPs whose version the interface has no address of. */
export const transitIpUnsupported = (version: IpVersion): string =>
  `${ipVersionName[version]} transit IP not supported by this network interface`

/** Rules of the transit IPs of a network interface (control plane 8.6). */
import {
  contains,
  type IpVersion,
  ipVersionName,
  type Network,
  networkAddress,
  parseNetwork,
} from '../../rules/ip.ts'
import { firstIndex } from '../../rules/lists.ts'

const forbidden: Record<IpVersion, Record<string, Network>> = {
  v4: { multicast: parseNetwork('224.0.0.0/4')!, loopback: parseNetwork('127.0.0.0/8')! },
  v6: { multicast: parseNetwork('ff00::/8')!, loopback: parseNetwork('::1/128')! },
}

interface WrittenNetwork {
  text: string
  net: Network
}

/** Networks that do not overlap, in the order of their addresses. */
class SeparateNetworks {
  readonly #byVersion: Record<IpVersion, WrittenNetwork[]> = { v4: [], v6: [] }

  /** Adds a network without host bits, or returns one that it overlaps with. */
  add(added: WrittenNetwork): WrittenNetwork | undefined {
    const { net } = added
    const present = this.#byVersion[net.version]
    const index = firstIndex(present, (other) => other.net.value >= net.value)
    // The others are separate and in order, so the new one can overlap only with its neighbours.
    const before = present[index - 1]
    const after = present[index]
    if (before && contains(before.net, net)) return before
    if (after && (contains(net, after.net) || contains(after.net, net))) return after
    present.splice(index, 0, added)
    return undefined
  }
}

/** Reason that an interface cannot have these transit IPs; undefined if it can. */
export function transitIpProblem(nets: readonly string[]): string | undefined {
  const earlier = new SeparateNetworks()
  for (const text of nets) {
    const net = parseNetwork(text)!
    const isHost = net.width === (net.version === 'v4' ? 32 : 128)
    const what = isHost ? `transit IP ${text}` : `transit IP block ${text}`
    if (networkAddress(net).value !== net.value) return `${what} has a non-zero host identifier`
    for (const [kind, block] of Object.entries(forbidden[net.version])) {
      if (contains(block, net)) return `${what} is a ${kind} ${isHost ? 'address' : 'network'}`
    }
    const other = earlier.add({ text, net })
    if (other) return `${what} overlaps with ${other.text}`
  }
  return undefined
}

/** Refusal of transit IPs whose version the interface has no address of. */
export const transitIpUnsupported = (version: IpVersion): string =>
  `${ipVersionName[version]} transit IP not supported by this network interface`

/** The forwarded ports of a running QEMU, by the commands of its monitor. */
import { formatAddress, ipVersion, parseAddress } from '@steading/api/rules'

/** A port that QEMU listens on. */
export interface HostForward {
  protocol: 'tcp' | 'udp'
  hostAddress: string
  hostPort: number
  guest: string
  port: number
}

/**
 * The forwards of each network, from the answer to `info usernet`:
 *
 *     Hub -1 (steading0):
 *       Protocol[State]    FD  Source Address  Port   Dest. Address  Port RecvQ SendQ
 *       TCP[HOST_FORWARD]  16       127.0.0.1 29999      172.30.0.5    22     0     0
 */
export function parseUsernet(text: string): Map<string, HostForward[]> {
  const found = new Map<string, HostForward[]>()
  let forwards: HostForward[] = []
  for (const line of text.split(/\r?\n/)) {
    const name = /\(([^)]+)\):\s*$/.exec(line)
    if (name) found.set(name[1]!, (forwards = []))
    const forward = /^\s*(TCP|UDP)\[HOST_FORWARD\]\s+\d+\s+(\S+)\s+(\d+)\s+(\S+)\s+(\d+)\s/.exec(
      line,
    )
    if (!forward) continue
    const [, protocol, address, hostPort, guest, port] = forward
    forwards.push({
      protocol: protocol!.toLowerCase() as 'tcp' | 'udp',
      hostAddress: address === '*' ? '0.0.0.0' : address!,
      hostPort: Number(hostPort),
      guest: guest!,
      port: Number(port),
    })
  }
  return found
}

/** An address for a command: nothing but an address gets into one. */
function ipv4(text: string): string {
  const address = parseAddress(text)
  if (!address || ipVersion(text) !== 'v4') throw new Error(`Not an IPv4 address: ${text}`)
  return formatAddress(address)
}

const host = ({ protocol, hostAddress, hostPort }: HostForward): string =>
  `${protocol}:${ipv4(hostAddress)}:${hostPort}`

export const addForward = (network: string, forward: HostForward): string =>
  `hostfwd_add ${network} ${host(forward)}-${ipv4(forward.guest)}:${forward.port}`

export const removeForward = (network: string, forward: HostForward): string =>
  `hostfwd_remove ${network} ${host(forward)}`

/** Whether an answer to `hostfwd_add` says that the port of the host is taken. */
export const isTaken = (answer: string): boolean =>
  answer.includes('Could not set up host forwarding rule')

export const sameForward = (a: HostForward, b: HostForward): boolean =>
  a.protocol === b.protocol &&
  a.hostAddress === b.hostAddress &&
  a.hostPort === b.hostPort &&
  a.guest === b.guest &&
  a.port === b.port

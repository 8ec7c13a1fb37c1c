/**
 * Looks for a packet and its answer at devices of the host, by counters of netfilter. Nothing that
 * guests send is read outside of the kernel.
 */
import type { RealPacket } from '@steading/control-plane/ports'
import { UPLINK_DEVICE } from '../host/host.ts'
import type { Run } from '../host/run.ts'
import type { Identity } from './frame.ts'

/** A device, and how packets to its guest and from it pass there. */
export interface Spot {
  device: string
  to: 'ingress' | 'egress'
  from: 'ingress' | 'egress'
}

interface Watched {
  packet: RealPacket
  identity: Identity
  destination: Spot
  source: Spot
  /** Packets that the host drops where it sees them, so that they reach nobody else. */
  drops: { packet: boolean; answer: boolean }
}

const events = ['arrived', 'replied', 'answered', 'refused'] as const
export type Seen = Record<(typeof events)[number], boolean>

export interface Watch {
  seen: () => Promise<Seen>
  end: () => Promise<unknown>
}

const TABLE = 'steading_packet_'
/** Tables that are older belong to a server that was killed. Milliseconds. */
const LONGEST_MS = 60_000

const hex = (token: number): string => `0x${(token >>> 0).toString(16)}`
/** The condition that four bytes at a place behind the IP header are a number. */
const bytes = (at: number, value: number): string => `@th,${8 * at},32 ${hex(value)}`

/** Bytes of ports, or of type and code, before the sequence number of TCP or the data of others. */
const tokenAt = { tcp: 4, udp: 8, icmp: 8, icmp6: 8 } as const
const l4 = { tcp: 'tcp', udp: 'udp', icmp: 'icmp', icmp6: 'icmpv6' } as const
const ICMP_HEADER = 8

/** Conditions for the packet and for what comes back. */
function conditions({ packet, identity }: Pick<Watched, 'packet' | 'identity'>) {
  const { protocol, port, source, destination } = packet
  const { token } = identity
  const isV4 = !source.includes(':')
  const at = tokenAt[protocol]
  const errors = isV4 ? 'icmp type destination-unreachable' : 'icmpv6 type destination-unreachable'
  const quoted = bytes(ICMP_HEADER + (isV4 ? 20 : 40) + at, token)
  const answer = {
    tcp: `meta l4proto tcp ${bytes(8, token + 1)} tcp flags & rst == 0`,
    udp: `udp sport ${port} udp dport ${identity.port}`,
    icmp: `icmp type echo-reply ${bytes(at, token)}`,
    icmp6: `icmpv6 type echo-reply ${bytes(at, token)}`,
  }[protocol]
  const reset = `meta l4proto tcp ${bytes(8, token + 1)} tcp flags & rst == rst`
  const family = isV4 ? 'ip' : 'ip6'
  // Ports alone would not tell its answer from other traffic.
  const ends = protocol === 'udp' ? `${family} saddr ${destination} ${family} daddr ${source} ` : ''
  return {
    packet: `meta l4proto ${l4[protocol]} ${bytes(at, token)}`,
    reply: answer,
    answer: `${ends}${answer}`,
    refusals: [`${errors} ${quoted}`, ...(protocol === 'tcp' ? [reset] : [])],
  }
}

function rulesOf(watched: Watched): { spot: Spot; way: 'to' | 'from'; rule: string }[] {
  const { source, destination, drops } = watched
  const is = conditions(watched)
  const rule = (condition: string, name: keyof Seen, drop = false) =>
    `${condition} counter name ${name}${drop ? ' drop' : ''}`
  const back = (name: 'answer' | 'reply') => [is[name], ...is.refusals]
  return [
    { spot: destination, way: 'to', rule: rule(is.packet, 'arrived', drops.packet) },
    ...back('reply').map((one) => ({
      spot: destination,
      way: 'from' as const,
      rule: rule(one, 'replied'),
    })),
    ...back('answer').map((one, index) => ({
      spot: source,
      way: 'to' as const,
      rule: rule(one, index === 0 ? 'answered' : 'refused', drops.answer),
    })),
  ]
}

/** The whole table, as commands of nft. */
export function watchTable(name: string, watched: Watched): string {
  const lines = [`add table netdev ${name}`]
  for (const event of events) lines.push(`add counter netdev ${name} ${event}`)
  const chains = new Map<string, string>()
  for (const { spot, way, rule } of rulesOf(watched)) {
    const hook = `${spot[way]} device "${spot.device}"`
    let chain = chains.get(hook)
    if (!chain) {
      chain = `chain${chains.size}`
      chains.set(hook, chain)
      lines.push(`add chain netdev ${name} ${chain} { type filter hook ${hook} priority 0; }`)
    }
    lines.push(`add rule netdev ${name} ${chain} ${rule}`)
  }
  return lines.join('\n')
}

/** As `nft -j` prints it. */
interface Listed {
  nftables: { counter?: { name: string; packets: number }; table?: { name: string } }[]
}

async function list(run: Run, ...what: string[]): Promise<Listed['nftables']> {
  return (JSON.parse(await run('nft', '-j', 'list', ...what)) as Listed).nftables
}

async function removeOld(run: Run, now: number): Promise<void> {
  for (const { table } of await list(run, 'tables', 'netdev')) {
    const begun = new RegExp(`^${TABLE}([0-9a-f]{1,12})_`).exec(table?.name ?? '')?.[1]
    if (begun === undefined || now - Number.parseInt(begun, 16) < LONGEST_MS) continue
    // Another server may have been faster.
    await run('nft', 'delete', 'table', 'netdev', table!.name).catch(() => {})
  }
}

/**
 * Whether the host can look for packets, which takes a hook of newer kernels: tries it with a table
 * that is gone within the same transaction.
 */
export async function canWatch(run: Run): Promise<boolean> {
  const name = `${TABLE}trial`
  const chains = (['ingress', 'egress'] as const).map(
    (hook) =>
      `add chain netdev ${name} ${hook} { type filter hook ${hook} device "${UPLINK_DEVICE}" priority 0; }`,
  )
  const trial = [`add table netdev ${name}`, ...chains, `delete table netdev ${name}`]
  return run('nft', trial.join('\n')).then(
    () => true,
    () => false,
  )
}

/** Begins to look for a packet, which must not have been sent yet. */
export async function watch(run: Run, watched: Watched): Promise<Watch> {
  const now = Date.now()
  await removeOld(run, now)
  const name = `${TABLE}${now.toString(16)}_${watched.identity.token.toString(16)}`
  await run('nft', watchTable(name, watched))
  return {
    async seen() {
      const counters = await list(run, 'counters', 'table', 'netdev', name)
      const isSeen = (event: string) =>
        counters.some(({ counter }) => counter?.name === event && counter.packets > 0)
      return Object.fromEntries(events.map((event) => [event, isSeen(event)])) as Seen
    },
    end: () => run('nft', 'delete', 'table', 'netdev', name),
  }
}

/** Sends real packets through OVN, and looks what becomes of them. */
import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type Log,
  NotAttached,
  type PacketFate,
  type PacketPlace,
  type PacketVerdict,
  type RealPacket,
  type SendPacket,
} from '@steading/control-plane/ports'
import { REAL_PACKET_ANSWER_S } from '@steading/api/rules'
import {
  MACHINE_BRIDGE,
  type NetworkHost,
  UPLINK_BRIDGE,
  UPLINK_BRIDGE_PORT,
  UPLINK_DEVICE,
  UPLINK_MAC,
} from '../host/host.ts'
import type { Northbound } from '../northbound/northbound.ts'
import { macOf, routerPortName, uplinkNetworkName, uplinkPortName } from '../vpc/names.ts'
import { frameOf, type FramePlace, type Identity } from './frame.ts'
import {
  decidingFlows,
  hintArguments,
  parseHints,
  parseTrace,
  type Trace,
  traceArguments,
  verdictOf,
} from './trace.ts'
import { type Seen, type Spot, watch } from './watch.ts'

/**
 * How often a packet is sent while it has not arrived, because a router may have to find a neighbour
 * first. Once, if OVN says that it drops it.
 */
const SENDS = 3
const SENDS_APART_MS = 400
const LOOKS_APART_MS = 50
/** Milliseconds after the last one in which a packet arrives, and if OVN says that it drops it. */
const ARRIVAL_MS = 5_000
const DENIED_MS = 500
const ANSWER_MS = REAL_PACKET_ANSWER_S * 1000

/** Source ports that guests do not choose by themselves. */
const SOURCE_PORTS = [61_000, 65_536] as const

interface Parts {
  host: NetworkHost
  northbound: () => Promise<Northbound>
  log: Log
}

interface Port {
  device: string
  /** Its number in OpenFlow. */
  number: number
}

export function createPacketSender({ host, northbound, log }: Parts): SendPacket {
  const { run, southbound } = host

  /** The port that Open vSwitch has here; undefined without one that works. */
  async function portOf(column: string, value: string): Promise<Port | undefined> {
    const text = await run(
      'ovs-vsctl',
      '--format=json',
      '--columns=name,ofport',
      'find',
      'Interface',
      `${column}="${value}"`,
    )
    const { data } = JSON.parse(text) as { data: [name: unknown, number: unknown][] }
    const [device, number] = data[0] ?? []
    const isUsable = typeof device === 'string' && /^[\w.-]{1,15}$/.test(device)
    return isUsable && typeof number === 'number' && number > 0 ? { device, number } : undefined
  }

  async function portAt({ interfaceId }: PacketPlace): Promise<Port> {
    const port = await portOf('external_ids:iface-id', interfaceId)
    if (!port) throw new NotAttached(interfaceId)
    return port
  }

  async function uplinkPort(): Promise<Port> {
    const port = await portOf('name', UPLINK_BRIDGE_PORT)
    if (!port) throw new Error(`${UPLINK_BRIDGE} has no port ${UPLINK_BRIDGE_PORT}`)
    return port
  }

  async function traced(...flow: Parameters<typeof traceArguments>): Promise<Trace> {
    return parseTrace(await run('ovn-trace', ...traceArguments(...flow)))
  }

  async function decided(trace: Trace): Promise<PacketVerdict | undefined> {
    const flows = decidingFlows(trace)
    const hints =
      flows.length > 0
        ? parseHints(await run('ovn-sbctl', ...hintArguments(southbound, flows)))
        : new Map<string, string>()
    const there = await northbound()
    return verdictOf(trace, (table, flow) => {
      const hint = hints.get(flow)
      return hint === undefined ? undefined : (there.keyOf(table, hint) ?? null)
    })
  }

  /** The last part of the way, which decides: that in the VPC of the destination, if it gets there. */
  async function traceOf(packet: RealPacket, identity: Identity): Promise<Trace> {
    const { from, to, between } = packet
    const start = from ? from.interfaceId : uplinkNetworkName(to!.vpcId)
    const trace = await traced(southbound, packet, start, wayOf(packet), identity)
    const leaves = trace.end.type === 'delivered' && trace.end.outside
    if (!leaves || !between || !to) return trace
    const port = uplinkNetworkName(to.vpcId)
    return traced(southbound, { ...packet, ...between }, port, inwardTo(to), identity)
  }

  /** What decided by OVN, before the packet is known to arrive or afterwards. */
  async function verdictAbout(
    packet: RealPacket,
    identity: Identity,
    arrived?: boolean,
  ): Promise<PacketVerdict | undefined> {
    try {
      const trace = await traceOf(packet, identity)
      const verdict = await decided(trace)
      if (!arrived || verdict?.allowed !== false) return verdict
      // It takes the networks of port security for single addresses, and the packet knows better.
      return isUncertain(verdict)
        ? await decided({ ...trace, end: { type: 'delivered', outside: false } })
        : undefined
    } catch (error) {
      log('tracing a packet through OVN failed', error)
      return undefined
    }
  }

  return async (packet) => {
    const { from, to, stopsAtHost } = packet
    const identity = { token: randomInt(1, 2 ** 32 - 1), port: randomInt(...SOURCE_PORTS) }
    const start = from ? await portAt(from) : await uplinkPort()
    const end = to && (await portAt(to))
    const looking = await watch(run, {
      packet,
      identity,
      source: from ? machineSpot(start) : outsideSpot,
      destination: end ? machineSpot(end) : outsideSpot,
      // Nobody outside has sent it, so nobody there may get an answer.
      drops: { packet: stopsAtHost && !end, answer: !from },
    })
    const frame = frameOf(packet, wayOf(packet), identity).toString('hex')
    const [bridge, actions] = from ? [MACHINE_BRIDGE, 'resubmit(,0)'] : [UPLINK_BRIDGE, 'NORMAL']
    const order = `in_port=${start.number},packet=${frame},actions=${actions}`
    const send = () => run('ovs-ofctl', 'packet-out', bridge, order)
    try {
      await send()
      const verdict = await verdictAbout(packet, identity)
      const fate = await fateOf({
        send,
        seen: looking.seen,
        isDenied: verdict?.allowed === false && !isUncertain(verdict),
        isAnswered: !stopsAtHost || end !== undefined,
      })
      // By now, the router knows its neighbours.
      const isOpen = verdict === undefined || (fate.arrived && !verdict.allowed)
      return {
        ...fate,
        verdict: isOpen ? await verdictAbout(packet, identity, fate.arrived) : verdict,
      }
    } finally {
      await looking
        .end()
        .catch((error: unknown) => log('removing a watch for a packet failed', error))
    }
  }
}

const isUncertain = ({ by }: PacketVerdict): boolean => by === 'sender' || by === 'receiver'

interface OnItsWay {
  send: () => Promise<unknown>
  seen: () => Promise<Seen>
  /** OVN says that it drops the packet. */
  isDenied: boolean
  /** An answer may come. */
  isAnswered: boolean
}

/** Waits for a packet that was sent, and sends it again in between, and then for its answer. */
async function fateOf(way: OnItsWay): Promise<Omit<PacketFate, 'verdict'>> {
  const { send, seen, isDenied, isAnswered } = way
  const sends = isDenied ? 1 : SENDS
  const arrivalMs = isDenied ? DENIED_MS : ARRIVAL_MS
  let sent = 1
  let sentAt = performance.now()
  let arrivedAt: number | undefined
  for (;;) {
    const { arrived, replied, answered, refused } = await seen()
    const now = performance.now()
    if (answered || refused) return { arrived: true, answer: answered ? 'answered' : 'refused' }
    if (arrived || replied) {
      if (!isAnswered) return { arrived: true, answer: undefined }
      arrivedAt ??= now
      if (now - arrivedAt >= ANSWER_MS)
        return { arrived: true, answer: replied ? 'lost' : 'silent' }
    } else if (sent < sends && now - sentAt >= SENDS_APART_MS) {
      await send()
      sent++
      sentAt = performance.now()
    } else if (sent === sends && now - sentAt >= arrivalMs) {
      return { arrived: false, answer: undefined }
    }
    await pause(LOOKS_APART_MS)
  }
}

const machineSpot = ({ device }: Port): Spot => ({ device, to: 'egress', from: 'ingress' })
const outsideSpot: Spot = { device: UPLINK_DEVICE, to: 'ingress', from: 'egress' }

const inwardTo = ({ vpcId }: PacketPlace): FramePlace => ({
  from: UPLINK_MAC,
  to: macOf(uplinkPortName(vpcId)),
})

/** Where the packet begins, and the next on its way: the destination itself in the same subnet. */
function wayOf({ from, to, isDirect }: RealPacket): FramePlace {
  if (!from) return inwardTo(to!)
  const next = isDirect && to ? to.mac : macOf(routerPortName(from.subnetId))
  return { from: from.mac, to: next }
}

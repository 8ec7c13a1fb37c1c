/** Compares the network model with real packets through OVN, in random clouds. */
import fc from 'fast-check'
import type { PacketPlace } from '@steading/control-plane/ports'
import { ask, compile, type Interface, type NetworkRows, packetOf } from '@steading/network'
import { expect, test } from 'vitest'
import { long } from '../../control-plane/test/support/long.ts'
import { worlds } from '../../network/test/support/random-world.ts'
import {
  applyRoutes,
  hostRoutes,
  nextHopTo,
  openNorthbound,
  rowsOfVpc,
  systemHost,
} from '../src/index.ts'
import { castsOf, type Groups, groupsOf, joinsOf, memberships } from './support/multicast.ts'
import { createPacketSender } from '../src/packet/sender.ts'
import { openWorld, ovnMissing, type World } from './support/open-world.ts'
import { BEHIND, differences, OUTSIDE, placesOf, trialsOf } from './support/probes.ts'
import { settings } from './support/settings.ts'

const macOf = (index: number): string => `A8:40:25:F0:01:${index.toString(16).padStart(2, '0')}`

/** Routes of custom routers to what is behind interfaces, which random routes rarely meet. */
const routesBehind = (
  routers: NetworkRows['routers'],
  interfaces: NetworkRows['interfaces'],
): NetworkRows['routes'] =>
  routers
    .filter(({ kind }) => kind === 'custom')
    .flatMap(({ id, vpc_id }) =>
      Object.entries(BEHIND).flatMap(([network, address]) => {
        const nic = interfaces.find(
          (one) => one.vpc_id === vpc_id && one.transit_ips.includes(network),
        )
        const value = address.includes(':') ? nic?.ipv6 : nic?.ipv4
        if (!value) return []
        return {
          id: `${id} ${network}`,
          name: `behind-${address}`,
          vpc_router_id: id,
          kind: 'custom',
          destination: { type: 'ip_net', value: network },
          target: { type: 'ip', value },
        }
      }),
    )

/** Clouds that OVN can be like in everything: see "Differences" in README.md. */
const comparable = worlds.map((rows): NetworkRows => {
  // Guests answer for what is behind them, and forward nothing; each network by one interface.
  const behind = new Set<string>()
  const interfaces = rows.interfaces.map((nic, index) => {
    const transit_ips = [...new Set(nic.transit_ips)].filter((network) => {
      const key = `${nic.instance_id} ${network}`
      return network in BEHIND && !behind.has(key) && behind.add(key)
    })
    return { ...nic, mac: macOf(index), transit_ips }
  })
  const internet_gateways = rows.internet_gateways.filter(({ name }) => name === 'default')
  const has4 = new Set(
    interfaces.flatMap((nic) => (nic.primary && nic.ipv4 ? [nic.instance_id] : [])),
  )
  const external_subnets = rows.external_subnets.filter(
    ({ instance_id }) => instance_id === null || has4.has(instance_id),
  )
  return {
    ...rows,
    routes: [...rows.routes, ...routesBehind(rows.routers, interfaces)],
    interfaces,
    internet_gateways,
    external_subnets,
  }
})

/** Makes a cloud real: its networks, its end points, and the network outside. */
async function build(world: World, rows: NetworkRows, groups: Groups) {
  const northbound = await openNorthbound({
    remote: world.northbound,
    owner: 'test',
    log: (problem) => console.error(problem),
  })
  const vpcs = [...compile(rows).vpcs.values()]
  for (const vpc of vpcs) {
    const desired = rowsOfVpc(vpc, settings, groups.get(vpc.row.id))
    await northbound.apply(vpc.row.id, 1, desired)
  }
  const host = systemHost(world.run, world.southbound)
  await host.prepare()
  for (const place of [OUTSIDE, ...placesOf(rows)]) await world.place(place)
  for (const vpc of vpcs) await applyRoutes(world.run, nextHopTo(vpc.row.id), hostRoutes(vpc))
  await northbound.inEffect()
  for (const { at, group } of joinsOf(rows)) world.join(at, group)
  return { northbound, host }
}
type Built = Awaited<ReturnType<typeof build>>

/** Runs a comparison in a new world, and returns the differences that it finds. */
async function compareIn(
  rows: NetworkRows,
  groups: Groups,
  compare: (world: World, built: Built) => Promise<string[]>,
): Promise<string[]> {
  const world = await openWorld()
  try {
    const built = await build(world, rows, groups)
    const found = await compare(world, built)
    built.northbound.close()
    return found
  } finally {
    await world.end()
  }
}

const placeOf = (at: Interface | undefined): PacketPlace | undefined =>
  at && { interfaceId: at.row.id, mac: at.row.mac, subnetId: at.subnet.id, vpcId: at.vpc.row.id }

/** Single packets of a cloud, at most. */
const SENT = 10

/** Sends some of the packets by themselves, and compares who decided about them. */
async function verdictDifferences(
  rows: NetworkRows,
  { northbound, host }: Built,
): Promise<string[]> {
  const log = (problem: string, cause?: unknown) => console.error(problem, cause)
  const send = createPacketSender({ host, northbound: async () => northbound, log })
  const network = compile(rows)
  const isOnline = (at: Interface | undefined) => at?.instance.row.run_state !== 'stopped'
  // Its trace knows no networks behind guests (`isUncertain` of `packet/sender.ts`).
  const isOwn = (at: Interface | undefined, source: string) =>
    !at || [at.row.ipv4, at.row.ipv6].includes(source)
  const questions = trialsOf(rows).flatMap(({ question }) => {
    const packet = packetOf(network, question)
    const isSent =
      typeof packet !== 'string' &&
      (packet.from ?? packet.to) &&
      packet.from?.instance !== packet.to?.instance &&
      isOnline(packet.to) &&
      isOwn(packet.from, packet.source)
    return isSent ? [{ question, packet }] : []
  })
  const found: string[] = []
  for (let at = 0; at < questions.length; at += Math.ceil(questions.length / SENT)) {
    const { question, packet } = questions[at]!
    const ends = { from: placeOf(packet.from), to: placeOf(packet.to) }
    const { arrived, verdict } = await send({ ...packet, ...ends, stopsAtHost: false })
    const model = ask(network, question)
    // What becomes of a packet outside is nobody's to know.
    const outside = model.there.find(({ kind }) => kind === 'outside')
    if (outside && (!packet.to || !outside.passed)) continue
    const decisive = model.arrives
      ? model.there.findLast(({ kind }) => kind === 'firewall')
      : model.there.find(({ passed }) => !passed)
    const rule = decisive?.kind === 'firewall' ? decisive.rule?.name : undefined
    const told = verdict?.by === 'rule' ? verdict.rule : undefined
    if (arrived !== model.arrives || verdict?.allowed !== arrived || told !== rule) {
      const text = JSON.stringify({ arrived, verdict, rule, reason: model.reason })
      found.push(`${JSON.stringify(question)}: ${text}`)
    }
  }
  return found
}

test.skipIf(ovnMissing() !== undefined)('packets go where the model says', () =>
  fc.assert(
    fc.asyncProperty(comparable, memberships, async (rows, chosen) => {
      const groups = groupsOf(rows, chosen)
      const found = await compareIn(rows, groups, (world) =>
        differences(world, trialsOf(rows), castsOf(rows, groups)),
      )
      expect(found).toEqual([])
    }),
    // The short run has always the same clouds, and the long one looks for others.
    long ? { numRuns: 50, endOnFailure: true } : { numRuns: 2, seed: 1, endOnFailure: true },
  ),
)

test.skipIf(ovnMissing() !== undefined)('OVN names the rule that the model names @long', () =>
  fc.assert(
    fc.asyncProperty(comparable, async (rows) => {
      const found = await compareIn(rows, new Map(), (_, built) => verdictDifferences(rows, built))
      expect(found).toEqual([])
    }),
    { numRuns: 5, endOnFailure: true },
  ),
)

/** Compares the network model with real packets through OVN, in random clouds. */
import fc from 'fast-check'
import { compile, type NetworkRows } from '@steading/network'
import { expect, test } from 'vitest'
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

async function compareIn(world: World, rows: NetworkRows, groups: Groups): Promise<string[]> {
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
  await systemHost(world.run, world.southbound).prepare()
  for (const place of [OUTSIDE, ...placesOf(rows)]) await world.place(place)
  for (const vpc of vpcs) await applyRoutes(world.run, nextHopTo(vpc.row.id), hostRoutes(vpc))
  await northbound.inEffect()
  for (const { at, group } of joinsOf(rows)) world.join(at, group)
  const found = await differences(world, trialsOf(rows), castsOf(rows, groups))
  northbound.close()
  return found
}

async function compare(rows: NetworkRows, groups: Groups): Promise<string[]> {
  const world = await openWorld()
  try {
    return await compareIn(world, rows, groups)
  } finally {
    await world.end()
  }
}

test.skipIf(ovnMissing() !== undefined)('packets go where the model says', () =>
  fc.assert(
    fc.asyncProperty(comparable, memberships, async (rows, chosen) => {
      expect(await compare(rows, groupsOf(rows, chosen))).toEqual([])
    }),
    { numRuns: process.env.STEADING_LONG_TESTS === '1' ? 50 : 2, endOnFailure: true },
  ),
)

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
import { openWorld, ovnMissing, type World } from './support/open-world.ts'
import { differences, OUTSIDE, placesOf, trialsOf } from './support/probes.ts'
import { settings } from './support/settings.ts'

const macOf = (index: number): string => `A8:40:25:F0:01:${index.toString(16).padStart(2, '0')}`

/** Clouds that OVN can be like in everything: see "Differences" in README.md. */
const comparable = worlds.map((rows): NetworkRows => {
  // Guests with one interface, which forward nothing.
  const interfaces = rows.interfaces
    .filter(({ primary }) => primary)
    .map((nic, index) => ({ ...nic, mac: macOf(index), transit_ips: [] }))
  const internet_gateways = rows.internet_gateways.filter(({ name }) => name === 'default')
  const has4 = new Set(interfaces.flatMap((nic) => (nic.ipv4 ? [nic.instance_id] : [])))
  const external_subnets = rows.external_subnets.filter(
    ({ instance_id }) => instance_id === null || has4.has(instance_id),
  )
  return { ...rows, interfaces, internet_gateways, external_subnets }
})

async function compareIn(world: World, rows: NetworkRows): Promise<string[]> {
  const northbound = await openNorthbound({
    remote: world.northbound,
    owner: 'test',
    log: (problem) => console.error(problem),
  })
  const vpcs = [...compile(rows).vpcs.values()]
  for (const vpc of vpcs) await northbound.apply(vpc.row.id, 1, rowsOfVpc(vpc, settings))
  await systemHost(world.run, world.southbound).prepare()
  for (const place of [OUTSIDE, ...placesOf(rows)]) await world.place(place)
  for (const vpc of vpcs) await applyRoutes(world.run, nextHopTo(vpc.row.id), hostRoutes(vpc))
  await northbound.inEffect()
  const found = await differences(world, trialsOf(rows))
  northbound.close()
  return found
}

async function compare(rows: NetworkRows): Promise<string[]> {
  const world = await openWorld()
  try {
    return await compareIn(world, rows)
  } finally {
    await world.end()
  }
}

test.skipIf(ovnMissing() !== undefined)('packets go where the model says', () =>
  fc.assert(
    fc.asyncProperty(comparable, async (rows) => {
      expect(await compare(rows)).toEqual([])
    }),
    { numRuns: process.env.STEADING_LONG_TESTS === '1' ? 50 : 2, endOnFailure: true },
  ),
)

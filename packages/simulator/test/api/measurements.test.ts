/** Measurements of a simulated cloud with many sleds. */
import type { Inventory, MeasuredSled } from '@steading/control-plane/ports'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../control-plane/test/support/harness.ts'
import { perTurn } from '../../../control-plane/test/support/per-turn.ts'
import type { SimulatedEngines } from '../../src/engines.ts'
import { createSimulatedMeasurements } from '../../src/measurements/measurements.ts'
import { plausible } from '../../src/options.ts'

const BEGIN = Date.UTC(2026, 5, 1)
/** The links of a sled are measured once in so many rounds. */
const ROUNDS = 2

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const sledIn = (slot: number): MeasuredSled => ({
  id: `sled-${slot}`,
  rackId: 'rack',
  model: '913-0000019',
  revision: 6,
  serial: `BRM-${slot}`,
  slot,
  threads: 1,
  since: BEGIN,
})
const sledsIn = (from: number, to: number): MeasuredSled[] =>
  Array.from({ length: to - from }, (_, index) => sledIn(from + index))

/** @returns measures some sleds in the next rounds, and returns the slots of those with samples */
function measuring() {
  const { database, engines } = server.host.controlPlane
  const { uplinks } = engines as SimulatedEngines
  let sleds: MeasuredSled[] = []
  const inventory = async (): Promise<Inventory> => ({
    sleds,
    instances: [],
    disks: [],
    interfaces: [],
    pools: [],
    switches: [],
    links: [],
    peers: [],
    bfd: [],
  })
  const its = createSimulatedMeasurements({ database, inventory, uplinks, options: plausible })
  let at = BEGIN
  return async (some: MeasuredSled[]): Promise<number[]> => {
    sleds = some
    const seen = new Set<number>()
    for (let round = 0; round < ROUNDS; round++) {
      at += 5_000
      for await (const samples of its.measure(at, round)) {
        for (const { fields } of samples) {
          if (fields.sled_id) seen.add(Number(String(fields.sled_id).slice('sled-'.length)))
        }
      }
    }
    return [...seen].toSorted((a, b) => a - b)
  }
}

test('many sleds are looked at in several turns of the event loop', async () => {
  const worked = perTurn()
  const sleds = sledsIn(0, 100)
  for (const sled of sleds) {
    const { serial } = sled
    // It is read where the measurements of a sled are set up.
    const get = () => (worked.note(sled), serial)
    Object.defineProperty(sled, 'serial', { get, enumerable: false })
  }
  expect(await measuring()(sleds)).toEqual(sleds.map(({ slot }) => slot))
  expect(await worked.most()).toBeLessThanOrEqual(40)
})

test('sleds are measured while they are in the inventory', async () => {
  const measured = measuring()
  expect(await measured(sledsIn(0, 3))).toEqual([0, 1, 2])
  expect(await measured(sledsIn(1, 4))).toEqual([1, 2, 3])
})

test('of many sleds, as many are measured as a server can', async () => {
  expect(await measuring()(sledsIn(0, 200))).toEqual(sledsIn(0, 128).map(({ slot }) => slot))
})

/** Sums of measurements for the charts of overviews. */
import { FLEET_ID } from '@steading/api/rules'
import type { Sample } from '@steading/oxql'
import { expect, test } from 'vitest'
import { createLoadMeter } from '../src/resources/observability/overview/load-meter.ts'

const SECOND = 1e9
const place = { project_id: 'shop', silo_id: 'main' }

const vcpu = (at: number, seconds: number, instance_id = 'box', state = 'run'): Sample => ({
  name: 'virtual_machine:vcpu_usage',
  fields: { ...place, instance_id, vcpu_id: 0, state },
  timestamp: at,
  startTime: 0,
  datum: seconds * SECOND,
})
const power = (at: number, chassis_serial: string, datum: number): Sample => ({
  name: 'hardware_component:input_power',
  fields: { chassis_serial, component_id: 'converter', sensor: 'V54' },
  timestamp: at,
  datum,
})

/** A meter whose minute begins at zero. */
async function begun() {
  const meter = createLoadMeter()
  await meter.take(0)
  return meter
}

test('the increase of counters, for the project and its silo', async () => {
  const meter = await begun()
  meter.note([vcpu(0, 100), vcpu(0, 50, 'other')])
  meter.note([vcpu(30_000, 115), vcpu(60_000, 130), vcpu(60_000, 110, 'other')])
  const taken = await meter.take(60_000)
  expect(taken.get('shop')).toEqual({ cpus: 1.5 })
  expect(taken.get('main')).toEqual({ cpus: 1.5 })
  expect((await meter.take(120_000)).get('shop')).toBeUndefined()
})

test('idle and waiting processors are not busy', async () => {
  const meter = await begun()
  for (const state of ['idle', 'waiting']) {
    meter.note([vcpu(0, 0, 'box', state), vcpu(60_000, 60, 'box', state)])
  }
  expect((await meter.take(60_000)).get('shop')).toBeUndefined()
})

test('a counter that restarted began at zero', async () => {
  const meter = await begun()
  meter.note([vcpu(0, 1000), vcpu(60_000, 30)])
  expect((await meter.take(60_000)).get('shop')).toEqual({ cpus: 0.5 })
})

test('levels are the last ones, until they are no longer measured', async () => {
  const meter = await begun()
  meter.note([power(0, 'a', 100), power(30_000, 'a', 300), power(30_000, 'b', 200)])
  expect((await meter.take(60_000)).get(FLEET_ID)).toEqual({ power: 500 })
  meter.note([power(200_000, 'b', 250)])
  expect((await meter.take(240_000)).get(FLEET_ID)).toEqual({ power: 250 })
})

test('amounts are averaged over the time between two calls', async () => {
  const meter = await begun()
  meter.add(FLEET_ID, 'requests', 30)
  expect((await meter.take(20_000)).get(FLEET_ID)).toEqual({ requests: 1.5 })
})

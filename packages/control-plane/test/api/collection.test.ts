import { timeseriesByName, timeseriesFacts, type Wire } from '@steading/api'
import { isUuid, parseAddress } from '@steading/api/rules'
import type { Histogram, Series } from '@steading/oxql'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { stopClocks } from '../support/clock.ts'
import { changeEvents } from '../support/event-stream.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { blankDisk, reaches, smallInstance } from '../support/things.ts'

const ROUNDS = 25
const ROUND_MS = 5_000

let server: TestServer
let instance: Wire.Instance
const query = { project: 'lab' }

const store = () => server.host.controlPlane.engines.timeSeries!
const read = (name: string, where: Parameters<typeof whereOf>[0] = {}) =>
  store().read({ name, where: whereOf(where) }, 1_000_000)
const whereOf = (fields: Record<string, string | number>) =>
  Object.entries(fields).map(([field, value]) => ({ field, comparison: '==' as const, value }))
const rounds = async (count: number) => {
  for (let round = 0; round < count; round++) {
    vi.advanceTimersByTime(ROUND_MS)
    await server.host.controlPlane.collect()
  }
}

beforeAll(async () => {
  server = await startTestServer()
  const { admin } = server
  await admin.call('project_create', { body: { name: 'lab', description: '' } })
  const body = smallInstance('box', {
    ncpus: 2,
    start: true,
    network_interfaces: { type: 'default_dual_stack' },
    disks: [{ type: 'create', ...blankDisk('data') }],
  })
  const { id } = await admin.call('instance_create', { query, body })
  instance = await reaches(admin, id, 'running')
  stopClocks()
  await rounds(ROUNDS)
})
afterAll(async () => {
  vi.useRealTimers()
  await server.close()
})

const fits: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  bool: (value) => typeof value === 'boolean',
  uuid: (value) => typeof value === 'string' && isUuid(value),
  ip_addr: (value) => typeof value === 'string' && parseAddress(value) !== undefined,
  ...Object.fromEntries(
    [8, 16, 32, 64].flatMap((bits) => [
      [`u${bits}`, (value: unknown) => isWhole(value, 0, 2 ** bits - 1)],
      [`i${bits}`, (value: unknown) => isWhole(value, -(2 ** (bits - 1)), 2 ** (bits - 1) - 1)],
    ]),
  ),
}
const isWhole = (value: unknown, low: number, high: number) =>
  Number.isInteger(value) && (value as number) >= low && (value as number) <= high

/** The faults in the points of a series. */
function problemsOf(name: string, { fields, timestamps, startTimes, values }: Series): string[] {
  const schema = timeseriesByName.get(name)!
  const { datumType } = schema
  const isCounter = /^(cumulative|histogram)_/.test(datumType)
  const problems: string[] = []
  const wanted = schema.fields.map((field) => field.name)
  if (Object.keys(fields).toSorted().join() !== wanted.join()) problems.push('fields')
  for (const field of schema.fields) {
    if (!fits[field.fieldType]!(fields[field.name])) problems.push(`field ${field.name}`)
  }
  if ((startTimes !== undefined) !== isCounter) problems.push('start times')
  for (const [index, value] of values.entries()) {
    const number = typeof value === 'object' ? (value as Histogram).counts[0]! : value
    if (!Number.isFinite(number)) problems.push(`value ${number}`)
    if (/[ui]64/.test(datumType) && !Number.isSafeInteger(number)) problems.push('not whole')
    if (!isCounter) continue
    if (startTimes![index]! > timestamps[index]!) problems.push('begins after its value')
    if (index === 0 || startTimes![index] !== startTimes![index - 1]) continue
    const before = values[index - 1]!
    const falls =
      typeof value === 'object'
        ? (value as Histogram).counts.some(
            (count, bin) => count < (before as Histogram).counts[bin]!,
          )
        : value < (before as number)
    if (falls) problems.push(`falls from ${JSON.stringify(before)} to ${JSON.stringify(value)}`)
  }
  return problems
}

/** Targets without anything to measure here: no uplink is configured, and nothing conflicts. */
const absent =
  /^(bgp_session|bfd_session|switch_port_control_data_link|database_transaction):|:database_queue_depth$/

test('collected samples match their schemas, and counters never fall', async () => {
  const seen: string[] = []
  for (const { name } of timeseriesFacts) {
    const all = await read(name)
    if (all.length > 0) seen.push(name)
    for (const series of all) expect([name, ...problemsOf(name, series)]).toEqual([name])
  }
  expect(timeseriesFacts.map(({ name }) => name).filter((name) => !absent.test(name))).toEqual(seen)
})

test('the states of a virtual CPU add up to the elapsed time', async () => {
  for (const vcpu_id of [0, 1]) {
    const states = await read('virtual_machine:vcpu_usage', { vcpu_id })
    expect(states.map(({ fields }) => fields.state).toSorted()).toEqual([
      'emulation',
      'idle',
      'run',
      'waiting',
    ])
    expect(states[0]!.timestamps).toHaveLength(ROUNDS)
    for (let index = 1; index < ROUNDS; index++) {
      const spent = states.reduce(
        (sum, { values }) => sum + (values[index] as number) - (values[index - 1] as number),
        0,
      )
      expect(spent).toBe(ROUND_MS * 1e6)
    }
  }
})

test('samples of a machine name its project and silo', async () => {
  const [reset] = await read('virtual_machine:reset')
  expect(reset!.fields).toMatchObject({
    instance_id: instance.id,
    project_id: instance.project_id,
    silo_id: server.siloId,
  })
  const disks = await read('virtual_disk:reads')
  expect(disks.map(({ fields }) => fields.attached_instance_id)).toEqual([instance.id])
})

test('the server reports the latencies of its calls', async () => {
  await server.admin.call('ping')
  await rounds(2)
  const [ping] = await read('http_service:request_latency_histogram', { operation_id: 'ping' })
  expect(ping!.fields).toMatchObject({ name: 'nexus', status_code: 200 })
  const latency = ping!.values.at(-1) as Histogram
  expect(latency.counts.reduce((sum, count) => sum + count)).toBe(1)
  expect(latency.min).toBe(latency.max)
})

test('collecting leaves no events and no rows', async () => {
  const countOf = async () => {
    const events = await changeEvents(server.db)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return Number(events.count)
  }
  const before = await countOf()
  await rounds(3)
  expect(await countOf()).toBe(before)
})

test('a machine under load runs, and its sled uses more energy', async () => {
  const { admin } = server
  const params = { instance: instance.id }
  const set = (cpu: number, duration?: number) =>
    admin.call('simulated_instance_set_load', {
      params,
      body: { cpu, disk: 0, network: 0, duration },
    })
  const view = () => admin.call('simulated_instance_load_view', { params })
  const none = { cpu: 0, disk: 0, network: 0, time_started: null, time_ends: null }
  /** Energy used by the sled between the last two readings, in joules. */
  const energy = async () => {
    const sled = await server.db
      .selectFrom('instance')
      .innerJoin('sled', 'sled.id', 'instance.sled_id')
      .select('sled.name')
      .where('instance.id', '=', instance.id)
      .executeTakeFirstOrThrow()
    const [joules] = await read('hardware_component:input_energy', { chassis_serial: sled.name })
    const [before, after] = joules!.values.slice(-2) as [number, number]
    return after - before
  }
  /** The share of the last round in which a virtual CPU was running. */
  const share = async () => {
    const [run] = await read('virtual_machine:vcpu_usage', { vcpu_id: 0, state: 'run' })
    const [before, after] = run!.values.slice(-2) as [number, number]
    return (after - before) / (ROUND_MS * 1e6)
  }
  const calm = await energy()
  await set(100)
  await rounds(24)
  expect(await share()).toBeGreaterThan(0.9)
  expect(await energy()).toBeGreaterThan(calm)
  await set(0)
  await rounds(2)
  expect(await share()).toBeLessThan(0.9)
  expect(await view()).toEqual(none)
  for (const wrong of [{ cpu: 101 }, { cpu: 1, duration: 0 }, { cpu: 1, duration: 1.5 }]) {
    const refused = await admin.refused('PUT', `/x/v1/simulation/instances/${instance.id}/load`, {
      body: { disk: 0, network: 0, ...wrong },
    })
    expect(refused.status).toBe(400)
  }

  // A load ends by itself; a new one replaces it before that.
  await set(100, 60)
  const began = new Date()
  expect(await view()).toMatchObject({
    cpu: 100,
    time_started: began.toISOString(),
    time_ends: new Date(began.getTime() + 60_000).toISOString(),
  })
  await rounds(4)
  expect(await share()).toBeGreaterThan(0.9)
  await set(100, 20)
  await rounds(4)
  expect(await view()).toEqual(none)
  await rounds(2)
  expect(await share()).toBeLessThan(0.9)
  await set(100)
  expect(await view()).toMatchObject({ cpu: 100, time_ends: null })
  await rounds(1)
  await set(0)
})

test('a restarted machine counts from zero', async () => {
  const { admin } = server
  const params = { instance: instance.id }
  const before = await read('virtual_machine:vcpu_usage', { vcpu_id: 0, state: 'idle' })
  await admin.call('instance_reboot', { params })
  await reaches(admin, instance.id, 'running')
  await rounds(2)
  const [after] = await read('virtual_machine:vcpu_usage', { vcpu_id: 0, state: 'idle' })
  expect(after!.startTimes!.at(-1)).toBeGreaterThan(before[0]!.startTimes!.at(-1)!)
  expect(after!.values.at(-1)).toBeLessThan(before[0]!.values.at(-1) as number)
})

test('a stopped machine is no longer measured', async () => {
  const { admin } = server
  await admin.call('instance_stop', { params: { instance: instance.id } })
  await reaches(admin, instance.id, 'stopped')
  const before = await read('virtual_machine:reset')
  await rounds(2)
  expect(await read('virtual_machine:reset')).toEqual(before)
})

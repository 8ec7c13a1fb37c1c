/** An engine without the parts that only a rack has, and the database of each engine. */
import type { Wire } from '@steading/api'
import { engineParts, notWithEngine } from '@steading/api/rules'
import { simulatedEngine } from '@steading/simulator'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openSqlite } from '../../node/src/sqlite.ts'
import { createControlPlane } from '../src/control-plane.ts'
import { memoryBlockStore } from '../src/engines/volumes/memory.ts'
import { admit, StaleFence } from '../src/kernel/db/fences.ts'
import { composeEngine, partsWithout } from '../src/kernel/engine.ts'
import type { Engine, EnginePart } from '../src/kernel/ports/engines.ts'
import type { Hardware } from '../src/kernel/ports/hardware.ts'
import type { MachineNetworks, MachineNetworkStatus } from '../src/kernel/ports/machine-networks.ts'
import { OtherEngineError } from '../src/kernel/db/engine-claim.ts'
import { BOOTSTRAPPED } from '../src/kernel/db/setting.ts'
import { inspectDatabase } from '../src/inspect.ts'
import { openDatabase } from '../src/open-database.ts'
import { startSmallServer } from './support/small-server.ts'
import { smallInstance, until } from './support/things.ts'
import { createSession } from '../src/resources/identity/sessions/sessions.ts'

const rack = simulatedEngine(memoryBlockStore())
const [rackPart] = rack.parts as [EnginePart]
/** The simulated machines without the rack around them. */
const racklessPart: EnginePart = {
  ...rackPart,
  name: 'rackless',
  ports: ['hardware', 'machines', 'volumes', 'consoles'],
  open(context) {
    const { machines, consoles, volumes, hardware } = rack.open(context)
    const still = { ...machines, migrate: undefined }
    const withoutSwitches: Hardware = {
      ...hardware,
      replicas: 0,
      inventory: async () => ({ ...(await hardware.inventory()), switches: [] }),
    }
    return { machines: still, consoles, volumes, hardware: withoutSwitches }
  },
}
const rackless = composeEngine(racklessPart)
/** A part with networks only, which says what happens to them. */
function createCables() {
  const events: string[] = []
  const statusOf = (machineId: string, version: number): MachineNetworkStatus => ({
    machineId,
    version,
    endpoints: [],
    notEnforced: [],
    measured: false,
  })
  const applied = new Map<string, number>()
  const networking: MachineNetworks = {
    lacks: ['inside'],
    measured: false,
    start: () => void events.push('start'),
    close: async () => void events.push('close'),
    async apply({ machineId, version, interfaces }) {
      events.push(`apply ${interfaces.map(({ name }) => name)}`)
      applied.set(machineId, version)
      return statusOf(machineId, version)
    },
    remove: async (machineId) => void applied.delete(machineId),
    list: async () => [...applied].map(([machineId, version]) => statusOf(machineId, version)),
  }
  const part: EnginePart = {
    name: 'cables',
    ports: ['networking'],
    open: () => ({ networking }),
  }
  return { part, events }
}

/** A part with the uplinks of a switch that has one port. */
const router: EnginePart = {
  name: 'router',
  ports: ['uplinks'],
  open: () => ({
    uplinks: {
      ports: async () => [{ switch: 'switch0', port: 'rear0' }],
      links: async () => [],
      neighbors: async () => [],
      monitors: async () => ({ temperature: 0, receiverPower: 0, transmitterPower: 0 }),
      peers: async () => [],
      exported: async () => [],
      imported: async () => [],
      messages: async () => [],
      bfd: async () => [],
    },
  }),
}

function newPath(): string {
  const directory = mkdtempSync(join(tmpdir(), 'steading-engine-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return join(directory, 'steading.db')
}

/** A control plane over it, and a function that calls it as the first user. */
async function startRackless() {
  const controlPlane = await createControlPlane({
    database: openSqlite(':memory:'),
    engine: rackless,
    passwords: { hash: async (password) => password, verify: async (a, b) => a === b },
    settings: { log: () => {}, multicast: true },
  })
  await controlPlane.bootstrap({ adminPassword: 'correct horse' })
  const { db } = controlPlane.database
  const { id } = await db.selectFrom('silo_user').select('id').executeTakeFirstOrThrow()
  const cookie = `session=${await createSession(db, id, new Date())}`
  await controlPlane.start()
  onTestFinished(() => controlPlane.stop())
  return async (path: string) => {
    const request = new Request(`http://localhost${path}`, { headers: { cookie } })
    const answer = await controlPlane.fetch(request, { clientAddress: '' })
    return { status: answer.status, body: await answer.json() }
  }
}

test('a first start has images without contents only where machines are simulated', async () => {
  const get = await startRackless()
  expect((await get('/v1/images')).body).toEqual({ items: [], next_page: null })
  const { call, stop } = await startSmallServer(':memory:', rack)
  onTestFinished(stop)
  const { items } = await call<{ items: Wire.Image[] }>('GET', '/v1/images')
  expect(items.map(({ name }) => name)).toEqual(['debian-13', 'ubuntu-24-04'])
  for (const { id, description } of items) {
    expect(description).toMatch(/, simulated$/)
    // Simulated machines boot whatever their disks hold.
    const source = `/x/v1/boot-source?type=image&id=${id}`
    expect(await call('GET', source)).toEqual({ boots: null })
  }
})

test('an engine says which parts it lacks, and their operations answer 501', async () => {
  const get = await startRackless()
  expect((await get('/x/v1/capabilities')).body).toMatchObject({
    engine: 'rackless',
    engine_lacks: engineParts,
    multicast: false,
    simulation: false,
  })
  for (const [path, part] of [
    ['/v1/system/networking/bgp-status', 'uplinks'],
    ['/v1/system/hardware/switch-port', 'uplinks'],
    ['/v1/system/networking/address-lot', 'uplinks'],
    ['/v1/system/update/status', 'updates'],
    ['/v1/multicast-groups', 'multicast'],
    ['/x/v1/system/hosts', 'enrolment'],
    ['/x/v1/system/storage-pools', 'storagePools'],
  ] as const) {
    const message = notWithEngine(part, 'rackless')
    expect(await get(path)).toMatchObject({ status: 501, body: { message } })
  }
})

test('everything else works without the parts of a rack @long', async () => {
  const get = await startRackless()
  for (const path of [
    '/v1/projects',
    '/v1/system/hardware/sleds',
    '/v1/system/hardware/switches',
    '/v1/system/ip-pools',
    '/x/v1/issues',
    '/x/v1/find?text=test',
  ]) {
    expect(await get(path), path).toMatchObject({ status: 200 })
  }
})

test('a host takes ports from the parts of several engines', async () => {
  const { part, events } = createCables()
  const engine = composeEngine(...partsWithout(rack, 'uplinks'), part, router)
  const { call, stop } = await startSmallServer(':memory:', engine)
  onTestFinished(stop)
  expect(await call('GET', '/x/v1/capabilities')).toMatchObject({
    engine: 'simulated',
    engine_lacks: ['displays'],
    instance_network: true,
    network_lacks: ['inside'],
  })
  const { items } = await call<{ items: Wire.SwitchPort[] }>(
    'GET',
    '/v1/system/hardware/switch-port',
  )
  expect(items.map(({ port_name }) => port_name)).toEqual(['rear0'])
  await call('POST', '/v1/projects', { name: 'shop', description: '' })
  await call('POST', '/v1/instances?project=shop', {
    ...smallInstance('web'),
    network_interfaces: { type: 'default_ipv4' },
    start: true,
  })
  const network = '/x/v1/instances/web/network?project=shop'
  await until(
    () => call<Wire.InstanceNetwork>('GET', network),
    ({ behind }) => expect(behind).toBe(false),
  )
  await stop()
  expect([...new Set(events)]).toEqual(['start', 'apply net0', 'close'])
})

test('an engine of parts that do not fit is refused', () => {
  const { part } = createCables()
  const two = () => composeEngine(rackPart, router)
  expect(two).toThrow('the parts "simulated" and "router" of the engine both have uplinks')
  const twice = () => composeEngine(rackPart, part, { ...part })
  expect(twice).toThrow('the parts "cables" and "cables" of the engine both have networking')
  expect(() => composeEngine(part, router)).toThrow('no part of the engine has hardware')
  const misnamed = () => composeEngine({ ...rackPart, name: 'Rack' })
  expect(misnamed).toThrow('the part "Rack" of the engine: name must begin with')
})

test('a database opens only with the engine that made it', async () => {
  const path = newPath()
  const host = () => openSqlite(path)
  await (await openDatabase(host(), rack)).close()
  await expect(openDatabase(host(), rackless)).rejects.toThrow(
    new OtherEngineError('machines', 'simulated'),
  )
  expect(await inspectDatabase(host(), rackless, [], new Date())).toEqual({
    state: 'another engine',
    refusal: new OtherEngineError('machines', 'simulated'),
  })
  await (await openDatabase(host(), rack)).close()
})

test('a database opens only with the parts that made it, and takes new ones', async () => {
  const path = newPath()
  const open = async (...parts: EnginePart[]) =>
    (await openDatabase(openSqlite(path), composeEngine(...parts))).close()
  const { part } = createCables()
  await open(rackPart)
  await open(rackPart, part)
  const other = { ...part, name: 'pipes' }
  const refusal = new OtherEngineError('networking', 'cables')
  expect(refusal.message).toBe(
    'the part "networking" of the database belongs to the engine "cables"',
  )
  await expect(open(rackPart, other)).rejects.toThrow(refusal)
  await expect(open(rackPart)).rejects.toThrow(refusal)
  await expect(open({ ...rackPart, name: 'another' }, part)).rejects.toThrow(
    new OtherEngineError('machines', 'simulated'),
  )
  const engine = composeEngine(rackPart, other)
  expect(await inspectDatabase(openSqlite(path), engine, [], new Date())).toEqual({
    state: 'another engine',
    refusal,
  })
  await open(rackPart, part)
})

test('tables of a part may be older than those of the database that it joins', async () => {
  const path = newPath()
  const open = async (...parts: EnginePart[]) =>
    (await openDatabase(openSqlite(path), composeEngine(...parts))).close()
  const { part } = createCables()
  const tables = (...names: string[]) => ({
    ...part,
    migrations: Object.fromEntries(names.map((name) => [name, async () => {}])),
  })
  await open(rackPart)
  await open(rackPart, tables('2020-01-01-cables'))
  await open(rackPart, tables('2020-01-01-cables', '2020-01-03-cables'))
  await expect(
    open(rackPart, tables('2020-01-01-cables', '2020-01-02-cables', '2020-01-03-cables')),
  ).rejects.toThrow('the change "2020-01-02-cables" precedes "2020-01-03-cables", which was made')
})

describe('a database whose ports', () => {
  /** Leaves the claims that another version recorded, or a start that was killed. */
  async function claimed(...claims: { key: string; value: string }[]): Promise<string> {
    const path = newPath()
    const { db, close } = await openDatabase(openSqlite(path), rack)
    await db.deleteFrom('setting').where('key', 'like', 'engine%').execute()
    if (claims.length > 0) await db.insertInto('setting').values(claims).execute()
    await close()
    return path
  }
  const setUp = { key: BOOTSTRAPPED, value: new Date().toISOString() }

  test.each([
    ['have one claim', [setUp, { key: 'engine', value: 'simulated' }]],
    ['have none, of 0.2.0,', [setUp]],
  ])('%s belongs to the engine of that time', async (_, claims) => {
    const path = await claimed(...claims)
    const open = (engine: Engine) => openDatabase(openSqlite(path), engine)
    const rerouted = composeEngine(...partsWithout(rack, 'uplinks'), router)
    await expect(open(rackless)).rejects.toThrow(new OtherEngineError('machines', 'simulated'))
    await expect(open(rerouted)).rejects.toThrow(new OtherEngineError('uplinks', 'simulated'))
    // That engine had no networks.
    const { close, db } = await open(composeEngine(rackPart, createCables().part))
    const recorded = await db.selectFrom('setting').where('key', 'like', 'engine.%').select('key')
    expect(await recorded.execute()).toHaveLength(rackPart.ports.length)
    await close()
  })

  test('nobody has claimed yet belongs to the next engine', async () => {
    const path = await claimed()
    await (await openDatabase(openSqlite(path), rackless)).close()
    await expect(openDatabase(openSqlite(path), rack)).rejects.toThrow(OtherEngineError)
  })
})

test('an engine admits no step that a newer one has overtaken', async () => {
  const database = await openDatabase(openSqlite(':memory:'), rack)
  onTestFinished(() => database.close())
  await admit(database, 'machine', 2)
  await admit(database, 'machine', 2)
  await admit(database, 'machine', 5)
  await expect(admit(database, 'machine', 4)).rejects.toThrow(StaleFence)
  await admit(database, 'machine', undefined)
  await admit(database, 'other', 1)
})

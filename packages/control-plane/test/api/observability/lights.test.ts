/** Lights: the sleds of the fleet or the projects of a silo, with the state of what is on them. */
import type { Wire } from '@steading/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lightsOfSleds } from '../../../src/resources/observability/lights/lights.ts'
import type { Caller } from '../../support/caller.ts'
import { type Grants, startTestServer, type TestServer } from '../../support/harness.ts'
import { instanceRow, type InstanceRow } from '../../support/many.ts'
import { until } from '../../support/things.ts'

let server: TestServer
let admin: Caller
let operator: Caller
let shop: Wire.Project
let barn: Wire.Project
let sleds: Wire.SledDetails[]

const ofFleet = (caller: Caller = admin) => caller.call('fleet_lights')
const ofSilo = (caller: Caller = admin) => caller.call('silo_lights')
const ofSled = (sled: string, caller: Caller = admin) =>
  caller.call('sled_lights', { query: { sled } })
const unit = ({ units }: Wire.Lights, name: string) => units.find((one) => one.name === name)!
const names = ({ instances }: Wire.LightUnit) => instances.map(({ name }) => name)

const signedIn = async (name: string, grants?: Grants, silo?: string) =>
  (await server.createUser(name, grants, silo)).caller

const insert = (rows: readonly InstanceRow[]) =>
  server.db.insertInto('instance').values(rows).execute()
const removeAll = (projectId: string) =>
  server.db.deleteFrom('instance').where('project_id', '=', projectId).execute()

beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  const project = (name: string) =>
    admin.call('project_create', { body: { name, description: '' } })
  shop = await project('shop')
  barn = await project('barn')
  sleds = (await admin.call('sled_search', { query: { sort_by: 'slot_ascending' } })).items
  operator = await signedIn('operator', { fleet: 'viewer' })
  const [first, second] = sleds
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()
  await insert([
    instanceRow(shop.id, 'young', { sled_id: first!.id, run_state: 'failed', time_created: at(2) }),
    instanceRow(shop.id, 'old', { sled_id: first!.id, run_state: 'running', time_created: at(1) }),
    instanceRow(barn.id, 'away', { sled_id: second!.id, run_state: 'running' }),
    instanceRow(shop.id, 'off'),
    instanceRow(shop.id, 'gone', { time_deleted: at(3) }),
  ])
})
afterAll(() => server.close())

describe('of the fleet', () => {
  test('are those of sleds by slot, with what is placed on them', async () => {
    const lights = await ofFleet(operator)
    expect(lights.more).toBe(0)
    expect(lights.units.map(({ name }) => name)).toEqual(
      sleds.map(({ baseboard }) => baseboard.serial),
    )
    const [first, second] = lights.units
    expect(first).toMatchObject({
      rack_id: sleds[0]!.rack_id,
      condition: 'in_service',
      maintenance: false,
      more: 0,
    })
    // The oldest first; what is placed nowhere has no light.
    expect(first!.instances).toMatchObject([
      { name: 'old', state: 'running', project: 'shop', silo: 'main' },
      { name: 'young', state: 'failed' },
    ])
    expect(names(second!)).toEqual(['away'])
    const { items } = await admin.call('physical_disk_search', {
      query: { sled: sleds[0]!.id, sort_by: 'slot_ascending' },
    })
    expect(first!.disks).toEqual(
      items.map(({ id, name }) => ({ id, name, condition: 'in_service' })),
    )
    expect((await ofSled(sleds[0]!.id, operator)).units).toEqual([first])
  })

  test('show the condition of sleds', async () => {
    const sled = sleds.at(-1)!
    const serial = sled.baseboard.serial
    await admin.call('sled_maintenance_begin', {
      params: { sled_id: sled.id },
      body: { reason: 'fans', time_end: null, unmovable: 'leave' },
    })
    expect(unit(await ofFleet(), serial)).toMatchObject({
      condition: 'not_provisionable',
      maintenance: true,
    })
    await admin.call('simulated_sled_set_power', { params: { serial }, body: { on: false } })
    await until(
      () => ofFleet(),
      (lights) => expect(unit(lights, serial).condition).toBe('not_responding'),
    )
  })
})

describe('of a silo', () => {
  test('are those of its projects by name, in all states', async () => {
    const viewer = await signedIn('viewer', { silo: 'viewer' })
    const lights = await ofSilo(viewer)
    expect(lights.units.map(({ name }) => name)).toEqual(['barn', 'shop'])
    expect(unit(lights, 'shop')).toMatchObject({
      rack_id: null,
      condition: null,
      disks: [],
      more: 0,
    })
    expect(names(unit(lights, 'shop'))).toEqual(['old', 'young', 'off'])
    await expect(ofFleet(viewer)).rejects.toThrow('answered with 403')
    await expect(ofSled(sleds[0]!.id, viewer)).rejects.toThrow('answered with 40')
  })

  test('show a member of one project only that project', async () => {
    const member = await signedIn('member', { projects: { [barn.id]: 'viewer' } })
    const lights = await ofSilo(member)
    expect(lights.units.map(({ name }) => name)).toEqual(['barn'])
    expect(names(unit(lights, 'barn'))).toEqual(['away'])
  })

  test('show nothing of projects and silos that a user may not read', async () => {
    const stranger = await signedIn('stranger')
    expect(await ofSilo(stranger)).toEqual({ units: [], more: 0 })
    expect(await ofSilo(operator)).toEqual({ units: [], more: 0 })
    const other = await server.createSilo('other')
    const theirs = await signedIn('theirs', { silo: 'admin' }, other)
    expect(await ofSilo(theirs)).toEqual({ units: [], more: 0 })
  })
})

test('of many instances are limited, equally for all units, and the rest is counted', async () => {
  const crowded = await admin.call('project_create', { body: { name: 'crowd', description: '' } })
  const [first, second] = sleds
  const rows = (count: number, sled_id: string) =>
    Array.from({ length: count }, (_, index) =>
      instanceRow(crowded.id, `box-${sled_id.slice(0, 8)}-${index}`, { sled_id }),
    )
  await insert([...rows(5, first!.id), ...rows(5, second!.id)])
  const stored = await server.db.selectFrom('sled').selectAll().orderBy('slot').execute()
  const [one, other, ...rest] = await lightsOfSleds(server.db, stored, 8)
  expect([one!.instances.length, other!.instances.length]).toEqual([4, 4])
  // With those of the other tests.
  expect([one!.more, other!.more]).toEqual([3, 2])
  expect(rest.every(({ more }) => more === 0)).toBe(true)
  const [alone] = await lightsOfSleds(server.db, stored.slice(0, 1), 8)
  expect([alone!.instances.length, alone!.more]).toEqual([7, 0])
  await removeAll(crowded.id)
})

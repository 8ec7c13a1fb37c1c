/**
 * Control plane specification 10.1: sleds that accept no new instances, fail, are expunged and
 * added.
 */
import type { Wire } from '@steading/api'
import { GiB } from '@steading/api/rules'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import {
  affinityBody,
  blankDisk,
  detachedDisk,
  reaches,
  smallInstance,
  until,
} from '../../support/things.ts'

let server: TestServer
let admin: Caller
const query = { project: 'work' }

beforeEach(async () => {
  server = await startTestServer({ autoRestartCooldownMs: 3_600_000 })
  admin = server.admin
  await admin.call('project_create', { body: { name: 'work', description: '' } })
})
afterEach(() => server.close())

const sleds = async () => (await admin.call('sled_search')).items
const sledCalled = async (serial: string) =>
  (await sleds()).find(({ baseboard }) => baseboard.serial === serial)!
const power = (serial: string, on: boolean) =>
  admin.call('simulated_sled_set_power', { params: { serial }, body: { on } })
const setPolicy = (sled: Wire.Sled, state: Wire.SledProvisionPolicy) =>
  admin.call('sled_set_provision_policy', { params: { sled_id: sled.id }, body: { state } })

let count = 0
async function running(values: object = {}): Promise<Wire.Instance> {
  const { id } = await admin.call('instance_create', {
    query,
    body: smallInstance(`box-${count++}`, {
      network_interfaces: { type: 'none' },
      start: true,
      ...values,
    }),
  })
  return reaches(admin, id, 'running')
}
async function sledOf({ id }: Wire.Instance): Promise<Wire.SledDetails> {
  for (const sled of await sleds()) {
    const params = { sled_id: sled.id }
    const { items } = await admin.call('sled_instance_list', { params, query: { limit: 1000 } })
    if (items.some((instance) => instance.id === id)) return sled
  }
  throw new Error('the instance is on no sled')
}
const failureOf = async ({ id }: Wire.Instance) =>
  (await admin.call('instance_failure', { params: { instance: id } })).failure

test('a sled whose host has changed takes other numbers of machines', async () => {
  const [sled] = await sleds()
  const { serial } = sled!.baseboard
  await server.db
    .updateTable('simulated_sled')
    .set({ threads: 3, ram: 5 * GiB })
    .where('serial', '=', serial)
    .execute()
  // A wake-up of the hardware: the rack is looked at.
  await power(serial, false)
  await until(
    () => sledCalled(serial),
    (seen) =>
      expect(seen).toMatchObject({ usable_hardware_threads: 3, usable_physical_ram: 5 * GiB }),
  )
})

/** The usage of sleds and physical disks is the sum of their instances, and of the replicas of disks. */
async function expectSums(): Promise<void> {
  const { db } = server
  const instances = await db
    .selectFrom('instance')
    .select(['sled_id', 'ncpus', 'memory'])
    .where('sled_id', 'is not', null)
    .execute()
  const disks = await db.selectFrom('physical_disk').selectAll().execute()
  const replicas = await db
    .selectFrom('disk_replica')
    .innerJoin('disk', 'disk.id', 'disk_replica.disk_id')
    .select(['physical_disk_id', 'disk_replica.size', 'disk.time_deleted'])
    .execute()
  const sum = (values: number[]) => values.reduce((a, b) => a + b, 0)
  for (const { id, used, reclaimable } of disks) {
    const on = replicas.filter(({ physical_disk_id }) => physical_disk_id === id)
    const [deleted, present] = [true, false].map((is) =>
      sum(on.filter((one) => (one.time_deleted !== null) === is).map(({ size }) => size)),
    )
    expect([used, reclaimable]).toEqual([present, deleted])
  }
  for (const sled of await sleds()) {
    const on = instances.filter(({ sled_id }) => sled_id === sled.id)
    expect(sled.used_hardware_threads).toBe(sum(on.map(({ ncpus }) => ncpus)))
    expect(sled.used_physical_ram).toBe(sum(on.map(({ memory }) => memory)))
    const its = disks.filter(
      (disk) =>
        disk.sled_id === sled.id && disk.form_factor === 'u2' && disk.policy === 'in_service',
    )
    expect(sled.usable_storage).toBe(sum(its.map(({ size }) => size)))
    expect(sled.used_storage).toBe(sum(its.map(({ used }) => used)))
  }
}

/** The serial numbers of the sleds with ready replicas of a disk. */
async function replicasOf(disk: Wire.Disk): Promise<string[]> {
  const rows = await server.db
    .selectFrom('disk_replica')
    .innerJoin('physical_disk', 'physical_disk.id', 'disk_replica.physical_disk_id')
    .innerJoin('sled', 'sled.id', 'physical_disk.sled_id')
    .select('sled.name')
    .where('disk_id', '=', disk.id)
    .where('disk_replica.state', '=', 'ready')
    .orderBy('sled.name')
    .execute()
  return rows.map(({ name }) => name)
}

describe('the provision policy', () => {
  test('keeps new instances away, and leaves present ones', async () => {
    const first = await running()
    const sled = await sledOf(first)
    const set = { old_state: 'provisionable', new_state: 'non_provisionable' }
    expect(await setPolicy(sled, 'non_provisionable')).toEqual(set)
    expect(await setPolicy(sled, 'non_provisionable')).toEqual({
      ...set,
      old_state: 'non_provisionable',
    })
    for (let n = 0; n < 4; n++) expect((await sledOf(await running())).id).not.toBe(sled.id)
    expect((await sledOf(first)).id).toBe(sled.id)
    await setPolicy(sled, 'provisionable')
    // The others are more occupied now.
    expect((await sledOf(await running({ ncpus: 2 }))).id).toBe(sled.id)
  })

  test.each([
    ['another word', { state: 'closed' }, 'unknown variant `closed`'],
    ['nothing', {}, 'missing field `state`'],
    ['a number', { state: 7 }, 'invalid type: integer `7`'],
  ])('takes no %s', async (_, body, message) => {
    const [sled] = await sleds()
    const path = `/v1/system/hardware/sleds/${sled!.id}/provision-policy`
    const refused = await admin.refused('PUT', path, { body })
    expect(refused).toMatchObject({ status: 400 })
    expect(refused.message).toContain(message)
  })
})

test('runs an instance only on new enough processors', async () => {
  for (const platform of ['amd_turin', 'amd_turin_v2'] as const) {
    const instance = await running({ cpu_platform: platform })
    expect((await sledOf(instance)).cpu_platform).toBe('amd_turin_v2')
  }
  const newest = await sledCalled('BRM-0004')
  await setPolicy(newest, 'non_provisionable')
  const body = smallInstance('picky', { network_interfaces: { type: 'none' }, start: false })
  const { id } = await admin.call('instance_create', {
    query,
    body: { ...body, cpu_platform: 'amd_turin' },
  })
  await reaches(admin, id, 'stopped')
  expect(await admin.refusal('instance_start', { params: { instance: id } })).toMatchObject({
    status: 507,
    message:
      'Insufficient capacity: Failed to place instance: Could not find any valid sled on which this instance can be placed',
  })
})

describe('a sled that fails', () => {
  test('loses its instances; they restart elsewhere if permitted', async () => {
    const [moves, stays] = [await running(), await running({ auto_restart_policy: 'never' })]
    // Both are on one sled.
    const group = await admin.call('affinity_group_create', {
      query,
      body: affinityBody('together'),
    })
    const sled = await sledOf(stays)
    await admin.call('instance_stop', { params: { instance: moves.id } })
    await reaches(admin, moves.id, 'stopped')
    for (const { id } of [moves, stays]) {
      if (id === stays.id) continue
      const params = { affinity_group: group.id, instance: id }
      await admin.call('affinity_group_member_instance_add', { params })
    }
    for (const other of await sleds()) {
      if (other.id !== sled.id) await setPolicy(other, 'non_provisionable')
    }
    await admin.call('instance_start', { params: { instance: moves.id } })
    await reaches(admin, moves.id, 'running')
    for (const other of await sleds()) {
      if (other.id !== sled.id) await setPolicy(other, 'provisionable')
    }

    await power(sled.baseboard.serial, false)
    await reaches(admin, stays.id, 'failed')
    expect(await failureOf(stays)).toMatchObject({
      reason: 'The sled that it ran on stopped responding',
      time_restart: null,
    })
    await until(
      () => admin.call('instance_view', { params: { instance: moves.id } }),
      (seen) => {
        expect(seen.run_state).toBe('running')
        expect(seen.time_last_auto_restarted).not.toBeNull()
      },
    )
    expect((await sledOf(moves)).id).not.toBe(sled.id)
    expect(await sledCalled(sled.baseboard.serial)).toMatchObject({
      responding: false,
      state: 'active',
      policy: { kind: 'in_service' },
      used_hardware_threads: 0,
    })
    await expectSums()

    // Nothing is placed on it until it is back.
    for (let n = 0; n < 4; n++) expect((await sledOf(await running())).id).not.toBe(sled.id)
    await power(sled.baseboard.serial, true)
    await until(
      () => sledCalled(sled.baseboard.serial),
      ({ responding }) => expect(responding).toBe(true),
    )
    expect((await sledOf(await running({ ncpus: 2 }))).id).toBe(sled.id)
  })

  test('has its replicas recreated on the others', async () => {
    const disks: Wire.Disk[] = []
    for (const name of ['a', 'b', 'c']) disks.push(await detachedDisk(admin, query, name))
    for (const disk of disks) expect(new Set(await replicasOf(disk)).size).toBe(3)
    await expectSums()
    const [serial] = await replicasOf(disks[0]!)
    await power(serial!, false)
    for (const disk of disks) {
      await until(
        () => replicasOf(disk),
        (on) => {
          expect(new Set(on).size).toBe(3)
          expect(on).not.toContain(serial)
        },
      )
    }
    await expectSums()
    expect(await admin.call('disk_replica_summary')).toMatchObject({ repairing: 0, lost: 0 })
    await admin.call('disk_delete', { params: { disk: disks[0]!.id } })
    await expectSums()
    await admin.call('deleted_resource_delete', { params: { deleted_resource: disks[0]!.id } })
    await until(
      () => replicasOf(disks[0]!),
      (on) => expect(on).toEqual([]),
    )
    await expectSums()
  })
})

describe('expunging a sled', () => {
  const expunge = (sled: Wire.Sled) => admin.call('sled_expunge', { params: { sled_id: sled.id } })

  test('is previewed, fails its instances, and decommissions it', async () => {
    const restarts = await running()
    const sled = await sledOf(restarts)
    for (const other of await sleds()) {
      if (other.id !== sled.id) await setPolicy(other, 'non_provisionable')
    }
    const never = await running({ auto_restart_policy: 'never' })
    const large = await running({ ncpus: 64, memory: 2 * GiB })
    for (const other of await sleds()) {
      if (other.id !== sled.id) await setPolicy(other, 'provisionable')
    }
    const disk = await detachedDisk(admin, query, 'data')
    const params = { sled_id: sled.id }
    const preview = await admin.call('sled_expunge_preview', { params })
    expect(preview.instances).toHaveLength(3)
    expect(preview.replicas_without_room).toBe(0)
    const foretold = new Map(preview.instances.map((instance) => [instance.id, instance]))
    expect(foretold.get(never.id)).toMatchObject({ restarts: false, problem: null })
    for (const { id } of [restarts, large]) {
      expect(foretold.get(id)).toMatchObject({
        restarts: true,
        sled_serial: expect.stringMatching(/^BRM-/),
        silo_name: 'main',
        project_name: 'work',
      })
      expect(foretold.get(id)!.sled_serial).not.toBe(sled.baseboard.serial)
    }

    const policy = { kind: 'expunged' }
    expect(await expunge(sled)).toMatchObject({ id: sled.id, policy })
    await reaches(admin, never.id, 'failed')
    expect(await failureOf(never)).toMatchObject({ reason: 'The sled that it ran on was expunged' })
    for (const { id } of [restarts, large]) {
      await until(
        () => admin.call('instance_view', { params: { instance: id } }),
        (seen) => {
          expect(seen.run_state).toBe('running')
          expect(seen.time_last_auto_restarted).not.toBeNull()
        },
      )
    }
    const ended = await until(
      () => admin.call('sled_view', { params }),
      ({ state }) => expect(state).toBe('decommissioned'),
    )
    expect(ended.policy).toEqual(policy)
    const { items } = await admin.call('sled_physical_disk_list', { params })
    for (const one of items) expect(one).toMatchObject({ policy, state: 'decommissioned' })
    expect(await replicasOf(disk)).toHaveLength(3)
    await expectSums()
    // Repeating it does nothing.
    expect(await expunge(sled)).toMatchObject({ policy, state: 'decommissioned' })
    expect(
      await admin.refusal('sled_set_provision_policy', {
        params,
        body: { state: 'provisionable' },
      }),
    ).toMatchObject({ status: 409, message: 'the sled is expunged' })
  })

  test('previews instances without room elsewhere', async () => {
    const instance = await running()
    const sled = await sledOf(instance)
    for (const other of await sleds()) {
      if (other.id !== sled.id) await setPolicy(other, 'non_provisionable')
    }
    const params = { sled_id: sled.id }
    expect(await admin.call('sled_expunge_preview', { params })).toMatchObject({
      instances: [
        {
          id: instance.id,
          sled_serial: null,
          problem:
            'Insufficient capacity: Failed to place instance: Could not find any valid sled on which this instance can be placed',
        },
      ],
    })
    await expunge(sled)
    await until(
      () => failureOf(instance),
      (failure) => expect(failure?.restart_problem).toMatch(/^Insufficient capacity/),
    )
  })
})

describe('adding sleds', () => {
  const waiting = async () => (await admin.call('sled_list_uninitialized')).items
  const rackId = async () => (await admin.call('rack_list')).items[0]!.id
  const membership = async (version?: number) =>
    admin.call('rack_membership_status', {
      params: { rack_id: await rackId() },
      query: { version },
    })
  async function insert(): Promise<Wire.BaseboardId> {
    const inserted = await admin.call('simulated_sled_insert')
    await until(waiting, (items) =>
      expect(items.map(({ baseboard }) => baseboard.serial)).toContain(inserted.serial_number),
    )
    return inserted
  }
  const add = async (...sled_ids: Wire.BaseboardId[]) =>
    admin.call('rack_membership_add_sleds', {
      params: { rack_id: await rackId() },
      body: { sled_ids },
    })

  test('puts them into service with their disks', async () => {
    expect(await waiting()).toEqual([])
    expect(await membership()).toMatchObject({ version: 1, state: 'committed' })
    const one = await insert()
    const two = await insert()
    expect((await waiting()).map(({ cubby }) => cubby)).toEqual([4, 5])
    const begun = await add(one, two)
    expect(begun.version).toBe(2)
    expect(begun.members).toHaveLength(6)
    await until(membership, ({ state }) => expect(state).toBe('committed'))
    expect((await membership()).unacknowledged_members).toEqual([])
    expect((await membership(1)).members).toHaveLength(4)
    const sled = await sledCalled(one.serial_number)
    expect(sled).toMatchObject({ slot: 4, state: 'active', responding: true })
    expect(sled.usable_storage).toBeGreaterThan(0)
    expect(await waiting()).toEqual([])
    // Instances use it: it is the emptiest of all.
    for (let n = 0; n < 5; n++) await running()
    expect((await sledCalled(one.serial_number)).used_hardware_threads).toBe(1)
  })

  test('works by the old operation too', async () => {
    const { serial_number: serial, part_number: part } = await insert()
    const { id } = await admin.call('sled_add', { body: { serial, part } })
    await until(membership, ({ state }) => expect(state).toBe('committed'))
    expect((await sledCalled(serial)).id).toBe(id)
    const again = { status: 400, message: `already exists: sled "${serial} (${part}): ${id}"` }
    expect(await admin.refusal('sled_add', { body: { serial, part } })).toMatchObject(again)
    const params = { rack_id: await rackId() }
    const body = { sled_ids: [{ serial_number: serial, part_number: part }] }
    expect(await admin.refusal('rack_membership_add_sleds', { params, body })).toMatchObject(again)
  })

  test('can be aborted while a sled does not respond', async () => {
    const sled = await insert()
    await power(sled.serial_number, false)
    const begun = await add(sled)
    expect(begun).toMatchObject({ state: 'in_progress', unacknowledged_members: [sled] })
    const params = { rack_id: await rackId() }
    const other = await insert()
    expect(
      await admin.refusal('rack_membership_add_sleds', { params, body: { sled_ids: [other] } }),
    ).toMatchObject({ status: 409, message: "a change of the rack's membership is in progress" })
    const aborted = await admin.call('rack_membership_abort', { params })
    expect(aborted).toMatchObject({ version: 2, state: 'aborted' })
    expect(await admin.refusal('rack_membership_abort', { params })).toMatchObject({
      status: 409,
      message: "no change of the rack's membership is in progress",
    })
    await power(sled.serial_number, true)
    expect(await add(sled, other)).toMatchObject({ version: 3 })
    await until(membership, ({ state }) => expect(state).toBe('committed'))
  })

  test('is refused for hardware that is not there', async () => {
    const params = { rack_id: await rackId() }
    const nobody = { part_number: '913-1', serial_number: 'X' }
    expect(
      await admin.refusal('rack_membership_add_sleds', { params, body: { sled_ids: [nobody] } }),
    ).toMatchObject({
      status: 404,
      message: 'not found: uninitialized-sled with name "X (913-1)"',
    })
    expect(
      await admin.refusal('rack_membership_add_sleds', { params, body: { sled_ids: [] } }),
    ).toMatchObject({ status: 400 })
    const message = 'No trust quorum configuration exists for this rack'
    const query = { version: 7 }
    expect(await admin.refusal('rack_membership_status', { params, query })).toMatchObject({
      status: 404,
      message,
    })
  })

  test('accepts an expunged sled again, as another sled', async () => {
    const sled = await sledCalled('BRM-0002')
    await admin.call('sled_expunge', { params: { sled_id: sled.id } })
    const [seen] = await until(waiting, (items) => expect(items).toHaveLength(1))
    expect(seen!.baseboard).toEqual(sled.baseboard)
    await add({ part_number: sled.baseboard.part, serial_number: sled.baseboard.serial })
    await until(membership, ({ state }) => expect(state).toBe('committed'))
    const active = (await sleds()).filter(({ state }) => state === 'active')
    expect(active.map(({ baseboard }) => baseboard.serial)).toContain('BRM-0002')
    expect(active.map(({ id }) => id)).not.toContain(sled.id)
  })
})

describe('a physical disk', () => {
  const unadopted = async () => (await admin.call('physical_disk_list_unadopted')).items
  const requests = async () => (await admin.call('physical_disk_list_adoption_requests')).items
  const diskCalled = async (serial: string) =>
    (await admin.call('physical_disk_search', { query: { search: serial.toLowerCase() } })).items

  test('that fails is repaired elsewhere, replaced, and the new one adopted', async () => {
    const disk = await detachedDisk(admin, query, 'data')
    const { serial } = await server.db
      .selectFrom('disk_replica')
      .innerJoin('physical_disk', 'physical_disk.id', 'disk_replica.physical_disk_id')
      .select('physical_disk.name as serial')
      .where('disk_id', '=', disk.id)
      .executeTakeFirstOrThrow()
    await admin.call('simulated_disk_set_health', {
      params: { serial },
      body: { healthy: false },
    })
    await until(
      () => diskCalled(serial),
      ([failed]) => expect(failed).toMatchObject({ healthy: false, used: 0 }),
    )
    await until(
      () => replicasOf(disk),
      (on) => expect(new Set(on).size).toBe(3),
    )
    await expectSums()
    // A disk may be a file system, which can grow.
    const size = 2 ** 42
    await server.db
      .updateTable('simulated_disk')
      .set({ size })
      .where('serial', '=', serial)
      .execute()
    await admin.call('simulated_disk_set_health', { params: { serial }, body: { healthy: false } })
    await until(
      () => diskCalled(serial),
      ([grown]) => expect(grown).toMatchObject({ size }),
    )

    const fresh = await admin.call('simulated_disk_replace', { params: { serial } })
    const [waiting] = await until(unadopted, (items) => expect(items).toHaveLength(1))
    expect(waiting!.disk_id).toEqual(fresh)
    const request = await admin.call('physical_disk_enable_adoption', { body: fresh })
    expect(request.disk_id).toEqual(fresh)
    await until(
      () => diskCalled(fresh.serial),
      ([adopted]) => expect(adopted).toMatchObject({ healthy: true, state: 'active' }),
    )
    expect(await unadopted()).toEqual([])
    expect(await requests()).toEqual([])
    const { vendor, model } = fresh
    expect(await admin.refusal('physical_disk_enable_adoption', { body: fresh })).toMatchObject({
      status: 409,
      message: `physical disk already adopted: ${vendor}:${model}:${fresh.serial}`,
    })

    const [old] = await diskCalled(serial)
    const params = { disk_id: old!.id }
    expect(await admin.call('physical_disk_expunge', { params })).toMatchObject({
      policy: { kind: 'expunged' },
    })
    await until(
      () => admin.call('physical_disk_view', { params }),
      ({ state }) => expect(state).toBe('decommissioned'),
    )
  })

  test('can be requested once, before it is there', async () => {
    const body = { vendor: '1b96', model: 'WUS5EA138ESP7E1', serial: 'LATER' }
    const { id } = await admin.call('physical_disk_enable_adoption', { body })
    expect((await admin.call('physical_disk_enable_adoption', { body })).id).toBe(id)
    expect((await requests()).map((request) => request.id)).toEqual([id])
    const params = { physical_disk_adoption_req_id: id }
    await admin.call('physical_disk_disable_adoption', { params })
    expect(await requests()).toEqual([])
    expect(await admin.refusal('physical_disk_disable_adoption', { params })).toMatchObject({
      status: 404,
      message: `No active adoption request found for id: ${id}`,
    })
  })
})

test('refuses a disk that does not fit', async () => {
  await server.db
    .updateTable('silo')
    .set({ quota_storage: 2 ** 50 })
    .execute()
  // The rows follow the hardware, with which they may be compared at any moment.
  const { serial } = await server.db
    .updateTable('simulated_disk')
    .set({ failed: 1 })
    .returning('serial')
    .executeTakeFirstOrThrow()
  await admin.call('simulated_disk_set_health', { params: { serial }, body: { healthy: false } })
  await until(
    () =>
      server.db
        .selectFrom('physical_disk')
        .select('name')
        .where('state', '=', 'active')
        .where('healthy', '=', 1)
        .execute(),
    (healthy) => expect(healthy).toEqual([]),
  )
  expect(
    await admin.refusal('disk_create', { query, body: blankDisk('large') as never }),
  ).toMatchObject({
    status: 507,
    message: 'Insufficient capacity: Not enough storage',
  })
})

test.each([
  ['sleds/NOPE/power', { on: true }, 'simulated-sled'],
  ['disks/NOPE/health', { healthy: true }, 'simulated-disk'],
  ['uplinks/switch0/NOPE', { up: true }, 'simulated-uplink'],
])('missing simulated hardware: %s', async (path, body, kind) => {
  expect(await admin.refused('PUT', `/x/v1/simulation/${path}`, { body })).toMatchObject({
    status: 404,
    message: `not found: ${kind} with name "NOPE"`,
  })
})

test('removing and inserting power supplies raises alerts', async () => {
  const unit = (slot: number, present: boolean) =>
    admin.call('simulated_power_supply_update', { params: { slot }, body: { present } })
  await unit(2, false)
  const { power_supplies } = await admin.call('simulation_view')
  expect(power_supplies.map(({ present }) => present)).toEqual([
    true,
    true,
    false,
    true,
    true,
    true,
  ])
  // Removing an absent unit does nothing.
  await unit(2, false)
  await unit(2, true)
  const { items } = await admin.call('alert_search')
  expect(items.map(({ class: name }) => name).toSorted()).toEqual([
    'hardware.power_shelf.psu.insert',
    'hardware.power_shelf.psu.remove',
  ])
  expect(
    await admin.refusal('simulated_power_supply_update', {
      params: { slot: 6 },
      body: { present: true },
    }),
  ).toMatchObject({ status: 404, message: 'not found: simulated-power-supply with name "6"' })
})

test('silenced routers answer again', async () => {
  const router = (up: boolean) =>
    admin.call('simulated_uplink_update', {
      params: { switch_slot: 'switch1', end: '192.0.2.1' },
      body: { up },
    })
  const outages = async () => (await admin.call('simulation_view')).outages
  await router(false)
  expect(await outages()).toEqual([{ switch_slot: 'switch1', end: '192.0.2.1' }])
  await router(true)
  expect(await outages()).toEqual([])
})

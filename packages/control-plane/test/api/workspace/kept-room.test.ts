/** Deleted resources that can be restored are in nobody's way: they count nowhere, and make room. */
import type { Wire } from '@steading/api'
import { GiB, quotaMessages, RESTORABLE_HOURS_DEFAULT, restoreMessages } from '@steading/api/rules'
import { type Expression, sql, type SqlBool } from 'kysely'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { NoSpaceError } from '../../../src/kernel/ports/block-store.ts'
import { findDangling } from '../../../src/kernel/db/references.ts'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { addPool, addSubnetPool } from '../../support/networks.ts'
import { contentsOf, importingDisk, write } from '../../support/storage.ts'
import {
  affinityBody,
  blankDisk,
  detachedDisk,
  reaches,
  siloBody,
  smallInstance,
  until,
} from '../../support/things.ts'

let server: TestServer
let admin: Caller
const query = { project: 'work' }

beforeEach(async () => {
  server = await startTestServer()
  admin = server.admin
})
afterEach(() => server.close())

const createProject = (name: string) =>
  admin.call('project_create', { body: { name, description: '' } })
const setQuota = (values: object) => server.db.updateTable('silo').set(values).execute()
const kept = async (project = 'work') =>
  (await admin.call('deleted_resource_search', { query: { project, limit: 1000 } })).items.map(
    ({ name }) => name,
  )
const deleteDisk = (disk: string) => admin.call('disk_delete', { params: { disk } })
const restore = (id: string) => ({ params: { deleted_resource: id }, body: {} })

/**
 * Fills all physical disks, except for some room on a few of them, each in another sled.
 * @param bytes of each
 */
async function leaveRoom(bytes: number, places: number): Promise<string[]> {
  const disks = await server.db
    .selectFrom('physical_disk')
    .select(['id', 'sled_id', 'size'])
    .where('form_factor', '=', 'u2')
    .orderBy('id')
    .execute()
  const sleds = new Set<string>()
  const roomy: string[] = []
  for (const { id, sled_id, size } of disks) {
    const hasRoom = roomy.length < places && !sleds.has(sled_id)
    if (hasRoom) roomy.push(id)
    sleds.add(sled_id)
    await server.db
      .updateTable('physical_disk')
      .set({ used: hasRoom ? size - bytes : size })
      .where('id', '=', id)
      .execute()
  }
  expect(roomy).toHaveLength(places)
  return roomy
}

/** All numbers of use that callers can see. */
async function numbers(): Promise<object> {
  const silo = await admin.call('silo_list')
  const uses = await admin.call('utilization_view')
  const silos = await admin.call('silo_utilization_list')
  const { capacity: ofFleet } = await admin.call('fleet_overview')
  const { capacity: ofProject } = await admin.call('project_overview', { query })
  const sleds = await admin.call('sled_search')
  const disks = await admin.call('physical_disk_search', { query: { limit: 1000 } })
  const pools = await Promise.all(
    (await admin.call('system_ip_pool_list')).items.map(({ id }) =>
      admin.call('system_ip_pool_utilization_view', { params: { pool: id } }),
    ),
  )
  return {
    silos: [silo.items.length, silos.items],
    uses,
    ofFleet,
    ofProject,
    pools,
    sleds: sleds.items.map(({ used_hardware_threads, used_physical_ram, used_storage }) => [
      used_hardware_threads,
      used_physical_ram,
      used_storage,
    ]),
    disks: disks.items.map(({ used }) => used).toSorted(),
  }
}

/** Creates what a configuration has, with the same names and addresses each time. */
async function apply(project: string) {
  const within = { project }
  const address = await admin.call('floating_ip_create', {
    query: within,
    body: {
      name: 'front',
      description: '',
      address_allocator: { type: 'explicit', ip: '198.51.100.1' },
    } as never,
  })
  const network = await admin.call('external_subnet_create', {
    query: within,
    body: {
      name: 'routed',
      description: '',
      allocator: { type: 'explicit', subnet: '203.0.113.0/28' },
    } as never,
  })
  const vpc = await admin.call('vpc_create', {
    query: within,
    body: { name: 'net', description: '', dns_name: 'net' },
  })
  const boot = await detachedDisk(admin, within, 'boot')
  const data = await detachedDisk(admin, within, 'data')
  const snapshot = await admin.call('snapshot_create', {
    query: within,
    body: { name: 'first', description: '', disk: data.id },
  })
  await until(
    () => admin.call('snapshot_view', { params: { snapshot: snapshot.id } }),
    ({ state }) => expect(state).toBe('ready'),
  )
  const image = await admin.call('image_create', {
    query: within,
    body: {
      name: 'golden',
      description: '',
      os: 'a',
      version: '1',
      source: { type: 'snapshot', id: snapshot.id },
    },
  })
  const { id } = await admin.call('instance_create', {
    query: within,
    body: smallInstance('box', {
      start: true,
      boot_disk: { type: 'attach', name: boot.name },
      disks: [{ type: 'attach', name: data.name }],
      external_ips: [
        { type: 'ephemeral', pool_selector: { type: 'explicit', pool: 'few' } },
        { type: 'floating', floating_ip: address.id },
      ],
      network_interfaces: {
        type: 'create',
        params: [
          {
            name: 'net0',
            description: '',
            vpc_name: 'net',
            subnet_name: 'default',
            ip_config: {
              type: 'v4',
              value: { ip: { type: 'explicit', value: '172.30.0.9' }, transit_ips: [] },
            },
          },
        ],
      },
    }),
  })
  await reaches(admin, id, 'running')
  return { instance: id, address, network, vpc, disks: [boot, data], snapshot, image }
}

async function destroy(it: Awaited<ReturnType<typeof apply>>): Promise<void> {
  const params = { instance: it.instance }
  await admin.call('instance_stop', { params })
  await reaches(admin, it.instance, 'stopped')
  await admin.call('instance_delete', { params })
  await admin.call('floating_ip_delete', { params: { floating_ip: it.address.id } })
  await admin.call('external_subnet_delete', { params: { external_subnet: it.network.id } })
  await admin.call('image_delete', { params: { image: it.image.id } })
  await admin.call('snapshot_delete', { params: { snapshot: it.snapshot.id } })
  for (const { id } of it.disks) await deleteDisk(id)
  const subnets: Wire.VpcSubnet[] = (
    await admin.call('vpc_subnet_list', { query: { vpc: it.vpc.id } })
  ).items
  for (const { id } of subnets) await admin.call('vpc_subnet_delete', { params: { subnet: id } })
  await admin.call('vpc_delete', { params: { vpc: it.vpc.id } })
}

/** The second is the first that finds something kept in its way. */
const ROUNDS = 3
const MANY_ROUNDS = 10

describe('at the edge of all quotas and pools', () => {
  beforeEach(async () => {
    await setQuota({ quota_cpus: 1, quota_memory: GiB, quota_storage: 3 * GiB })
    await addPool(server.db, 'few', {
      first: '198.51.100.1',
      last: '198.51.100.2',
      siloId: server.siloId,
    })
    await addSubnetPool(server.db, 'networks', ['203.0.113.0/28'], { siloId: server.siloId })
    await leaveRoom(2 * GiB, 3)
  })

  test('the contents of a project are created and deleted again and again, and count nowhere', async () => {
    await createProject('work')
    const before = await numbers()
    for (let round = 0; round < ROUNDS; round++) {
      await destroy(await apply('work'))
      expect(await numbers(), `round ${round}`).toEqual(before)
      // The last round is kept as a whole: nothing that needs no storage goes early.
      const all = await kept()
      expect(all.filter((name) => name === 'box')).toHaveLength(round + 1)
      expect(all.filter((name) => name === 'boot')).toHaveLength(1)
    }
    expect(await findDangling(server.db)).toEqual([])
  })

  test('a project is created and deleted ten times @long', async () => {
    for (let round = 0; round < MANY_ROUNDS; round++) {
      const { id } = await createProject('work')
      const vpcs = await admin.call('vpc_list', { query })
      const made = await apply('work')
      await destroy(made)
      for (const vpc of vpcs.items) {
        const { items } = await admin.call('vpc_subnet_list', { query: { vpc: vpc.id } })
        for (const subnet of items) {
          await admin.call('vpc_subnet_delete', { params: { subnet: subnet.id } })
        }
        await admin.call('vpc_delete', { params: { vpc: vpc.id } })
      }
      await admin.call('project_delete', { params: { project: id } })
    }
    expect(await findDangling(server.db)).toEqual([])
  })
})

describe('when the room of disks is needed', () => {
  beforeEach(() => createProject('work'))
  const place = async (id: string) =>
    (
      await server.db
        .selectFrom('disk_replica')
        .select('physical_disk_id')
        .where('disk_id', '=', id)
        .execute()
    ).map(({ physical_disk_id }) => physical_disk_id)

  test('the oldest goes first, of whichever silo, and only as many as needed', async () => {
    const silo = await server.createSilo('other')
    await server.db
      .updateTable('silo')
      .set({ restorable_hours: 1 })
      .where('id', '=', silo)
      .execute()
    const { caller: theirs } = await server.createUser('kim', { silo: 'admin' }, silo)
    await theirs.call('project_create', { body: { name: 'theirs', description: '' } })
    await leaveRoom(4 * GiB, 3)
    const made: Record<string, Wire.Disk> = {}
    for (const name of ['one', 'two']) made[name] = await detachedDisk(admin, query, name)
    const foreign = await detachedDisk(theirs, { project: 'theirs' }, 'foreign')
    await deleteDisk(made.one!.id)
    await theirs.call('disk_delete', { params: { disk: foreign.id } })
    await deleteDisk(made.two!.id)

    // There is room, so nothing goes.
    await detachedDisk(admin, query, 'three')
    const ofTheirs = async () =>
      (await theirs.call('deleted_resource_search', { query: { project: 'theirs' } })).items.length
    expect([(await kept()).toSorted(), await ofTheirs()]).toEqual([['one', 'two'], 1])
    await detachedDisk(admin, query, 'four')
    expect([await kept(), await ofTheirs()]).toEqual([['two'], 1])
    await detachedDisk(admin, query, 'five')
    expect([await kept(), await ofTheirs()]).toEqual([['two'], 0])
    expect(await admin.refusal('deleted_resource_restore', restore(made.one!.id))).toMatchObject({
      status: 404,
    })
    await admin.call('deleted_resource_restore', restore(made.two!.id))
    // Now the room is full of disks.
    expect(await admin.refusal('disk_create', { query, body: blankDisk('six') })).toMatchObject({
      status: 507,
    })
  })

  test('several disks are created at once in the room of deleted ones', async () => {
    await leaveRoom(4 * GiB, 3)
    const names = ['a', 'b', 'c', 'd']
    for (let round = 0; round < 3; round++) {
      const disks = await Promise.all(names.map((name) => detachedDisk(admin, query, name)))
      await Promise.all(disks.map(({ id }) => deleteDisk(id)))
    }
    expect((await kept()).toSorted()).toEqual(names)
  })

  // A fault of one server is none of the other.
  test.skipIf(inject('servers') > 1)(
    'its bytes are gone before new ones are there, also after a failure in between',
    async () => {
      await leaveRoom(GiB, 3)
      const old = await detachedDisk(admin, query, 'old')
      await deleteDisk(old.id)
      const { faults, volumes } = server.host.controlPlane.engines
      faults.inject((action) => {
        if (action === 'deleteVolume') throw new Error('not now')
      })
      const disk = await admin.call('disk_create', { query, body: blankDisk('new') })
      await until(kept, (names) => expect(names).toEqual([]))
      expect(await volumes.list()).toEqual([old.id])
      expect((await admin.call('disk_view', { params: { disk: disk.id } })).state.state).toBe(
        'creating',
      )
      faults.inject()
      await until(
        () => admin.call('disk_view', { params: { disk: disk.id } }),
        ({ state }) => expect(state.state).toBe('detached'),
      )
      expect(await volumes.list()).toEqual([disk.id])
    },
  )

  test('a disk grows into it, and nothing that it needs comes back', async () => {
    await leaveRoom(4 * GiB, 3)
    const names = ['first', 'second', 'third']
    const disks = await Promise.all(names.map((name) => detachedDisk(admin, query, name)))
    const grown = await detachedDisk(admin, query, 'grown')
    for (const { id } of disks) await deleteDisk(id)
    const resize = (size: number) => ({ params: { disk: grown.id }, body: { size } })
    const settled = () =>
      until(
        () => server.db.selectFrom('disk').selectAll().where('id', '=', grown.id).execute(),
        ([disk]) => expect(disk!.growing).toBe(0),
      )
    await admin.call('disk_grow', resize(2 * GiB))
    await settled()
    expect((await kept()).toSorted()).toEqual(['second', 'third'])
    const { faults } = server.host.controlPlane.engines
    faults.inject((action) => {
      if (action === 'growVolume') throw new Error('not now')
    })
    await admin.call('disk_grow', resize(3 * GiB))
    await until(kept, (left) => expect(left).toEqual(['third']))
    await admin.call('deleted_resource_restore', restore(disks[2]!.id))
    faults.inject()
    await settled()
    expect(await admin.refusal('disk_grow', resize(4 * GiB))).toMatchObject({ status: 507 })
  })

  test('a disk whose room is promised to a disk that grows stays deleted', async () => {
    const [one] = await leaveRoom(GiB, 3)
    const old = await detachedDisk(admin, query, 'old')
    await deleteDisk(old.id)
    await server.db
      .updateTable('physical_disk')
      .set((eb) => ({ used: eb.ref('size') }))
      .where('id', '=', one!)
      .execute()
    expect(await admin.refusal('deleted_resource_restore', restore(old.id))).toMatchObject({
      status: 409,
      message: restoreMessages.noRoom,
    })
    expect(await kept()).toEqual(['old'])
  })

  test('replicas stay on different sleds', async () => {
    const [one, two] = await leaveRoom(GiB, 3)
    const old = await detachedDisk(admin, query, 'old')
    await deleteDisk(old.id)
    // There is free room, but twice in one sled.
    const { sled_id } = await server.db
      .selectFrom('physical_disk')
      .select('sled_id')
      .where('id', '=', one!)
      .executeTakeFirstOrThrow()
    const others = await server.db
      .selectFrom('physical_disk')
      .select('id')
      .where('sled_id', '=', sled_id)
      .where('form_factor', '=', 'u2')
      .where('id', 'not in', [one!, two!])
      .limit(3)
      .execute()
    expect(others).toHaveLength(3)
    for (const { id } of others) {
      await server.db
        .updateTable('physical_disk')
        .set((eb) => ({ used: eb('size', '-', GiB) }))
        .where('id', '=', id)
        .execute()
    }
    const disk = await detachedDisk(admin, query, 'new')
    expect(await kept()).toEqual([])
    const sleds = await server.db
      .selectFrom('physical_disk')
      .select('sled_id')
      .where('id', 'in', await place(disk.id))
      .execute()
    expect(new Set(sleds.map((row) => row.sled_id)).size).toBe(3)
  })

  test('replicas of a failed physical disk find it', async () => {
    // A deleted disk has all of the first place, and half of the two others.
    const [, two, three] = await leaveRoom(GiB, 3)
    const old = await detachedDisk(admin, query, 'old')
    await deleteDisk(old.id)
    const more = async (where: Expression<SqlBool>) =>
      server.db
        .updateTable('physical_disk')
        .set((eb) => ({ used: eb('used', '-', GiB) }))
        .where(where)
        .execute()
    await more(sql`id in (${two}, ${three})`)
    const { id: fourth, name: serial } = await server.db
      .selectFrom('physical_disk')
      .select(['id', 'name'])
      .where('form_factor', '=', 'u2')
      .where('sled_id', 'not in', (eb) =>
        eb
          .selectFrom('physical_disk as with')
          .innerJoin('disk_replica', 'disk_replica.physical_disk_id', 'with.id')
          .select('with.sled_id'),
      )
      .limit(1)
      .executeTakeFirstOrThrow()
    await more(sql`id = ${fourth}`)
    const disk = await detachedDisk(admin, query, 'present')
    expect((await place(disk.id)).toSorted()).toEqual([two, three, fourth].toSorted())
    expect(await kept()).toEqual(['old'])
    await admin.call('simulated_disk_set_health', {
      params: { serial },
      body: { healthy: false },
    })
    await until(
      () => place(disk.id),
      (now) => expect(now).not.toContain(fourth),
    )
    expect(await kept()).toEqual([])
  })
})

// A fault of one server is none of the other.
describe.skipIf(inject('servers') > 1)('when an upload finds no room', () => {
  beforeEach(() => createProject('work'))
  const data = Buffer.alloc(512, 7)

  /** Writes fail until some number of volumes and snapshots have been deleted. */
  function fillUntil(deletions: number) {
    let left = deletions
    server.host.controlPlane.engines.faults.inject((action) => {
      if (action === 'deleteVolume' || action === 'deleteSnapshot') left--
      if (action === 'writeVolume' && left > 0) throw new NoSpaceError()
    })
  }

  test('the oldest with bytes go first, a few at a time', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `disk-${index}`)
    const disks = await Promise.all(names.map((name) => detachedDisk(admin, query, name)))
    for (const { id } of disks) await deleteDisk(id)
    const group = await admin.call('affinity_group_create', { query, body: affinityBody('apart') })
    await admin.call('affinity_group_delete', { params: { affinity_group: group.id } })
    const { id } = await importingDisk(admin, 'work', 'upload')
    fillUntil(1)
    await write(admin, id, 0, data)
    expect((await kept()).toSorted()).toEqual(['apart', 'disk-10', 'disk-11'])
    expect((await contentsOf(admin, 'disks', id, 0, data.length)).equals(data)).toBe(true)
  })

  test('it is refused once nothing is left', async () => {
    await deleteDisk((await detachedDisk(admin, query, 'old')).id)
    const { id } = await importingDisk(admin, 'work', 'upload')
    fillUntil(100)
    const body = { offset: 0, base64_encoded_data: data.toString('base64') }
    expect(
      await admin.refusal('disk_bulk_write_import', { params: { disk: id }, body }),
    ).toMatchObject({ status: 507 })
    expect(await kept()).toEqual([])
  })
})

describe('when the quota has been used otherwise', () => {
  beforeEach(() => createProject('work'))

  test('a disk stays deleted with the reason, and an instance returns without it', async () => {
    await setQuota({ quota_storage: 2 * GiB })
    const disk = await detachedDisk(admin, query, 'data')
    const { id } = await admin.call('instance_create', {
      query,
      body: smallInstance('box', { disks: [{ type: 'attach', name: 'data' }] }),
    })
    await reaches(admin, id, 'stopped')
    await admin.call('instance_delete', { params: { instance: id } })
    await deleteDisk(disk.id)
    await detachedDisk(admin, query, 'other', { size: 2 * GiB })
    expect(
      await admin.call('deleted_resource_view', { params: { deleted_resource: disk.id } }),
    ).toMatchObject({ obstacle: restoreMessages.noQuota, name_taken: false })
    expect(await admin.refusal('deleted_resource_restore', restore(disk.id))).toMatchObject({
      status: 409,
      message: restoreMessages.noQuota,
    })
    const { notes } = await admin.call('deleted_resource_restore', restore(id))
    expect(notes).toEqual([restoreMessages.notAttached('Disk data', restoreMessages.noQuota)])
    expect(await kept()).toEqual(['data'])
    expect((await admin.call('utilization_view')).provisioned.storage).toBe(2 * GiB)
    const refused = await admin.refusal('disk_create', { query, body: blankDisk('more') })
    expect(refused.message).toContain(quotaMessages.storage)
  })
})

test('new silos keep what is deleted for the default time, others keep their policy', async () => {
  expect(await admin.call('deletion_policy_view')).toMatchObject({
    restorable_hours: RESTORABLE_HOURS_DEFAULT,
  })
  const { id } = await admin.call('silo_create', { body: siloBody('fresh') })
  const { caller } = await server.createUser('lee', { silo: 'admin' }, id)
  expect(await caller.call('deletion_policy_view')).toMatchObject({
    restorable_hours: RESTORABLE_HOURS_DEFAULT,
  })
})

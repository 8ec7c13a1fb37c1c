/** Storage pools: what operators add, which disks are in them, and moves between them. */
import type { Wire } from '@steading/api'
import {
  alertRulePresets,
  diskMoveMessages,
  GiB,
  type InstanceState,
  placementProblems,
  READ_ONLY_STAYS,
  REPLICAS,
  storagePoolMessages,
  storagePoolProblems,
  storagePoolTypeProblems,
} from '@steading/api/rules'
import { DiskCopyError } from '@steading/control-plane/ports'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { blankDisk, smallInstance, until } from '../../support/things.ts'
import { fromNow } from '../../support/times.ts'

let server: TestServer
let admin: Caller
beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  await admin.call('project_create', { body: { name: 'web', description: '' } })
})
afterAll(() => server.close())

const query = { project: 'web' }
const project = { params: query }
let count = 0
/** A name that no fault of the simulator is hidden in. */
const fresh = (): string => `p${++count}`

const create = (
  name: string,
  path = `/mnt/sim-${name}`,
  type: Wire.RequestedStoragePoolType = 'directory',
) => admin.call('storage_pool_create', { body: { name, description: '', type, path } })
const refusal = (name: string, path: string, type: Wire.RequestedStoragePoolType = 'directory') =>
  admin.refusal('storage_pool_create', { body: { name, description: '', type, path } })
const view = (pool: string) => admin.call('storage_pool_view', { params: { pool } })
const diskIn = (pool: string, name: string, size = GiB) =>
  admin.call('storage_pool_disk_create', {
    params: { project: 'web', pool },
    body: { ...blankDisk(name), size },
  })
const storageOf = (disk: string) => admin.call('disk_storage_view', { params: { disk }, query })
const move = (disk: string, pool: string) =>
  admin.call('disk_move', { params: { disk }, query, body: { pool } })
const arrived = (disk: string, pool: string) =>
  until(
    () => storageOf(disk),
    (seen) => expect(seen).toMatchObject({ pool: { name: pool }, move: null }),
  )
const stateOf = async (disk: string) =>
  (await admin.call('disk_view', { params: { disk }, query })).state.state

/** Actions of the engine fail from now on. */
function fail(which: (action: string, id: string) => boolean): () => void {
  const { faults } = server.host.controlPlane.engines
  faults.inject((action, id) => {
    if (which(action, id)) throw new Error('injected')
  })
  const end = () => faults.inject()
  onTestFinished(end)
  return end
}

test('a fleet has a first pool, in which new disks are', async () => {
  const { items } = await admin.call('storage_pool_search')
  expect(items).toMatchObject([
    { name: 'default', type: 'physical_disks', built_in: true, is_default: true, state: 'healthy' },
  ])
  const before = await view('default')
  expect(before.size).toBeGreaterThan(0)
  const disk = await admin.call('disk_create', { query, body: blankDisk('first') })
  expect((await storageOf('first')).pool.name).toBe('default')
  await admin.call('storage_pool_check', { params: { pool: 'default' } })
  const after = await view('default')
  expect(after.provisioned - before.provisioned).toBe(disk.size)
  expect(after.disks - before.disks).toBe(1)
})

test('an operator adds a directory, and disks choose it', async () => {
  const name = fresh()
  const pool = await create(name)
  expect(pool).toMatchObject({
    state: 'healthy',
    problem: null,
    provisioned: 0,
    disks: 0,
    hosts: [],
  })
  expect(pool.size).toBeGreaterThan(0)
  await diskIn(name, `${name}-data`, 2 * GiB)
  expect(await view(name)).toMatchObject({ provisioned: 2 * GiB, disks: 1 })
  const { items } = await admin.call('storage_pool_choice_list', project)
  expect(items.find((choice) => choice.name === name)).toMatchObject({ is_default: false })
  // Its disks have no replicas.
  const { id } = await admin.call('disk_view', { params: { disk: `${name}-data` }, query })
  const replicas = server.db.selectFrom('disk_replica').select('disk_id').where('disk_id', '=', id)
  expect(await replicas.execute()).toEqual([])
})

test('says what is wrong with a directory, and takes no disks there until it is mended', async () => {
  const name = fresh()
  expect(await create(name, '/mnt/elsewhere')).toMatchObject({
    state: 'unreachable',
    problem: storagePoolProblems.missing('/mnt/elsewhere'),
    size: null,
  })
  const refused = await admin.refusal('storage_pool_disk_create', {
    params: { project: 'web', pool: name },
    body: blankDisk('nowhere'),
  })
  expect(refused).toMatchObject({
    status: 503,
    message: storagePoolMessages.notReady(name, 'unreachable'),
  })
  const sentences = async () =>
    (await admin.call('issue_list')).items.map(({ sentence }) => sentence)
  const problem = `Storage pool ${name} cannot be used. ${storagePoolProblems.missing('/mnt/elsewhere')}`
  expect(await sentences()).toContain(problem)
  await admin.call('storage_pool_delete', { params: { pool: name } })
  await until(sentences, (found) => expect(found).not.toContain(problem))
})

test('an operator adds a file system that hosts mount, and disks choose it', async () => {
  const name = fresh()
  const source = `nas.example:/export/${name}`
  const body = {
    name,
    description: '',
    type: 'nfs' as const,
    source,
    path: `/mnt/sim-${name}`,
  }
  expect(await admin.call('storage_pool_create', { body })).toMatchObject({
    type: 'nfs',
    source,
    state: 'healthy',
  })
  await diskIn(name, `${name}-data`)
  expect(await view(name)).toMatchObject({ source, disks: 1 })
  const found = await admin.call('storage_pool_search', { query: { search: source } })
  expect(found.items.map((pool) => pool.name)).toEqual([name])

  const refused = (values: Partial<Wire.StoragePoolCreate>) =>
    admin.refusal('storage_pool_create', { body: { ...body, name: fresh(), ...values } })
  const elsewhere = `/mnt/sim-${fresh()}`
  const other = 'nas.example:/other'
  // Everything else about them would be right.
  for (const wrong of [
    { source: null, path: elsewhere },
    { source: '', path: elsewhere },
    { source: 'nas.example', path: elsewhere },
    { source: 'nas.example:export', path: elsewhere },
    { source: '-o,exec:/export', path: elsewhere },
    { source: 'nas.example:/../export', path: elsewhere },
    { source: 'nas.example:/a b', path: elsewhere },
    { source: 'nas.example,evil:/export', path: elsewhere },
    { source: other, path: '/usr/sim-lib' },
    { source: other, path: '/mnt' },
    { source: other, path: '/mnt/../usr/sim-lib' },
    { source: other, path: elsewhere, type: 'directory' as const },
  ]) {
    expect(await refused(wrong), JSON.stringify(wrong)).toMatchObject({ status: 400 })
  }
  expect(await refused({ path: elsewhere })).toMatchObject({
    status: 409,
    message: storagePoolMessages.sourceTaken(source, name),
  })
  expect(await refused({ source: other })).toMatchObject({
    status: 409,
    message: storagePoolMessages.pathTaken(body.path, name),
  })
  const inside = `${body.path}/sim-deep`
  expect(await refused({ source: other, path: inside })).toMatchObject({
    status: 409,
    message: storagePoolMessages.pathInside(inside, name, body.path),
  })
})

test('says why a file system cannot be mounted', async () => {
  const [name, source] = [fresh(), 'nas.example:/gone']
  const body = { name, description: '', type: 'nfs' as const, source, path: '/mnt/sim-missing' }
  const pool = await admin.call('storage_pool_create', { body })
  expect(pool.state).toBe('unreachable')
  expect(pool.problem).toMatch(storagePoolProblems.cannotMount(source, ''))
  await admin.call('storage_pool_delete', { params: { pool: name } })
})

test('refuses types, paths and names that no pool can have', async () => {
  const name = fresh()
  await create(name)
  for (const type of ['ceph_rbd', 'lvm', 'iscsi'] as const) {
    expect(await refusal(fresh(), '/mnt/sim-other', type)).toMatchObject({
      status: 501,
      message: storagePoolTypeProblems[type],
    })
  }
  for (const path of [
    '',
    'mnt',
    '/',
    '/mnt/../etc',
    '/mnt/a b',
    "/mnt/'",
    '/mnt/\n',
    '/mnt//a',
    '/mnt/',
  ]) {
    expect(await refusal(fresh(), path)).toMatchObject({ status: 400 })
  }
  expect(await refusal(fresh(), `/mnt/sim-${name}`)).toMatchObject({ status: 409 })
  expect(await refusal(name, '/mnt/sim-other')).toMatchObject({ status: 400 })
})

test('the default is that of the silo, and otherwise that of the fleet', async () => {
  const [one, other] = [fresh(), fresh()]
  await create(one)
  await create(other)
  const params = { silo: 'main' }
  onTestFinished(async () => {
    await admin.call('silo_storage_pool_update', { params, body: { pool: null } })
    await admin.call('storage_pool_make_default', { params: { pool: 'default' } })
  })
  await admin.call('storage_pool_make_default', { params: { pool: one } })
  expect((await view('default')).is_default).toBe(false)
  await admin.call('disk_create', { query, body: blankDisk(`${one}-of-fleet`) })
  expect((await storageOf(`${one}-of-fleet`)).pool.name).toBe(one)
  await admin.call('silo_storage_pool_update', { params, body: { pool: other } })
  expect((await admin.call('silo_storage_pool_view', { params })).pool?.name).toBe(other)
  await admin.call('disk_create', { query, body: blankDisk(`${one}-of-silo`) })
  expect((await storageOf(`${one}-of-silo`)).pool.name).toBe(other)
  const remove = (pool: string) => admin.refusal('storage_pool_delete', { params: { pool } })
  expect((await remove(one)).message).toContain('default of the fleet')
  expect((await remove(other)).message).toContain('default of silo main')
})

test('what is made of a disk stays in its pool, or goes to the chosen one', async () => {
  const [one, other] = [fresh(), fresh()]
  await create(one)
  await create(other)
  await diskIn(one, `${one}-disk`)
  const snapshot = await admin.call('snapshot_create', {
    query,
    body: { name: `${one}-snapshot`, description: '', disk: `${one}-disk` },
  })
  const copy = (name: string, read_only = false) => ({
    name,
    description: '',
    size: GiB,
    disk_backend: {
      type: 'distributed' as const,
      disk_source: { type: 'snapshot' as const, snapshot_id: snapshot.id, read_only },
    },
  })
  await admin.call('disk_create', { query, body: copy(`${one}-copy`) })
  expect((await storageOf(`${one}-copy`)).pool.name).toBe(one)
  const params = { project: 'web', pool: other }
  await admin.call('storage_pool_disk_create', { params, body: copy(`${one}-away`) })
  await until(
    () => stateOf(`${one}-away`),
    (state) => expect(state).toBe('detached'),
  )
  expect((await storageOf(`${one}-away`)).pool.name).toBe(other)
  const readOnly = { params, body: copy(`${one}-cd`, true) }
  expect(await admin.refusal('storage_pool_disk_create', readOnly)).toMatchObject({
    status: 400,
    message: READ_ONLY_STAYS,
  })
  const held = await admin.refusal('storage_pool_delete', { params: { pool: one } })
  expect(held).toMatchObject({ status: 409 })
})

test('counts the sizes of disks, and refuses what does not fit', async () => {
  const name = fresh()
  const pool = await create(name, `/mnt/sim-small-${name}`)
  expect(pool.size).toBe(4 * GiB)
  await diskIn(name, `${name}-a`, 3 * GiB)
  const refused = await admin.refusal('storage_pool_disk_create', {
    params: { project: 'web', pool: name },
    body: { ...blankDisk(`${name}-b`), size: 2 * GiB },
  })
  expect(refused).toMatchObject({
    status: 507,
    message: expect.stringContaining(storagePoolMessages.noRoom(name)),
  })
  const grow = { params: { disk: `${name}-a` }, query }
  expect(await admin.refusal('disk_grow', { ...grow, body: { size: 5 * GiB } })).toMatchObject({
    status: 507,
    message: expect.stringContaining(storagePoolMessages.noRoom(name)),
  })
  await admin.call('disk_grow', { ...grow, body: { size: 4 * GiB } })
  expect(await view(name)).toMatchObject({ provisioned: 4 * GiB })
  // A deleted disk makes room, also one that can be restored until then.
  await admin.call('disk_delete', grow)
  expect(await view(name)).toMatchObject({ provisioned: 0 })
  await diskIn(name, `${name}-c`, 4 * GiB)
  await until(
    () => stateOf(`${name}-c`),
    (state) => expect(state).toBe('detached'),
  )
  expect(await view(name)).toMatchObject({ provisioned: 4 * GiB, disks: 1 })
  const row = await server.db
    .selectFrom('storage_pool')
    .select('reclaimable')
    .where('id', '=', pool.id)
    .executeTakeFirstOrThrow()
  expect(row.reclaimable).toBe(0)
})

test('a disk moves from physical disks to a directory and back, with its room', async () => {
  const name = fresh()
  await create(name)
  const disk = await admin.call('disk_create', { query, body: blankDisk(`${name}-disk`) })
  const replicas = async () => {
    const rows = server.db.selectFrom('disk_replica').select('disk_id')
    return (await rows.where('disk_id', '=', disk.id).execute()).length
  }
  expect(await replicas()).toBe(REPLICAS)
  await move(`${name}-disk`, name)
  await arrived(`${name}-disk`, name)
  expect(await stateOf(`${name}-disk`)).toBe('detached')
  expect(await replicas()).toBe(0)
  expect(await view(name)).toMatchObject({ provisioned: disk.size, disks: 1 })
  const same = { params: { disk: disk.id }, body: { pool: name } }
  expect(await admin.refusal('disk_move', same)).toMatchObject({
    status: 400,
    message: diskMoveMessages.same(name),
  })
  await move(`${name}-disk`, 'default')
  await arrived(`${name}-disk`, 'default')
  expect(await replicas()).toBe(REPLICAS)
  expect(await view(name)).toMatchObject({ provisioned: 0, disks: 0 })
  await admin.call('storage_pool_delete', { params: { pool: name } })
  await until(
    () => admin.send('GET', `/x/v1/system/storage-pools/${name}`),
    ({ status }) => expect(status).toBe(404),
  )
})

test('a move that fails says why, and the disk stays where it was', async () => {
  const [name, other] = [fresh(), fresh()]
  await create(name)
  await create(other)
  await diskIn(name, `${name}-disk`)
  const { id } = await view(other)
  const mend = fail((action, pool) => action === 'usePool' && pool === id)
  await move(`${name}-disk`, other)
  const failed = await until(
    () => storageOf(`${name}-disk`),
    (seen) => expect(seen.move?.problem).not.toBeNull(),
  )
  expect(failed.pool.name).toBe(name)
  expect(failed.move).toMatchObject({
    problem: diskMoveMessages.unreachable(
      other,
      storagePoolProblems.notMounted(`/mnt/sim-${other}`),
    ),
  })
  expect(await stateOf(`${name}-disk`)).toBe('detached')
  expect(await view(other)).toMatchObject({ provisioned: 0 })
  mend()
  await move(`${name}-disk`, other)
  await arrived(`${name}-disk`, other)
})

/** An instance with one disk, which runs. */
async function running(name: string, disk: string): Promise<Wire.Instance> {
  await admin.call('disk_create', { query, body: blankDisk(disk) })
  const { id } = await admin.call('instance_create', {
    query,
    body: { ...smallInstance(name), disks: [{ type: 'attach', name: disk }], start: true },
  })
  return inState(id, 'running')
}
const inState = (instance: string, state: InstanceState) =>
  until(
    () => admin.call('instance_view', { params: { instance } }),
    ({ run_state }) => expect(run_state).toBe(state),
  )

test('a disk of a running instance moves, and holds up what it cannot do meanwhile', async () => {
  const name = fresh()
  const disk = `${name}-disk`
  await create(name)
  const { id } = await running(`${name}-box`, disk)
  const params = { instance: id }
  const body = { pool: name }
  const endFault = fail((action) => action === 'moveVolume')
  await move(disk, name)
  expect(await stateOf(disk)).toBe('maintenance')
  const message = diskMoveMessages.moving(disk)
  // It neither leaves its sled, nor is its disk used by anything else.
  const { sled } = await admin.call('instance_sled_view', { params })
  const onSled = { sled_id: sled!.id, instance_id: id }
  const { items } = await admin.call('instance_destination_list', { params: onSled })
  const other = items.find(({ serial }) => serial !== sled!.serial)!
  expect(other.problem).toBe(placementProblems.diskMoves(disk))
  expect(
    await admin.refusal('instance_move', { params: onSled, body: { sled_id: other.id } }),
  ).toMatchObject({ status: 409, message })
  const preview = await admin.call('sled_maintenance_preview', { params: { sled_id: sled!.id } })
  expect(preview.instances.find((one) => one.id === id)).toMatchObject({ problem: message })
  expect(
    await admin.refusal('snapshot_create', {
      query,
      body: { name: `${name}-kept`, description: '', disk },
    }),
  ).toMatchObject({ status: 400 })
  expect(await admin.refusal('disk_move', { params: { disk }, query, body })).toMatchObject({
    status: 400,
  })
  // One that stops does not start before the disk has arrived.
  await admin.call('instance_stop', { params })
  await inState(id, 'stopped')
  expect(await admin.refusal('instance_start', { params })).toMatchObject({ status: 409, message })
  endFault()
  await arrived(disk, name)
  expect(await stateOf(disk)).toBe('attached')
  await admin.call('instance_start', { params })
  await inState(id, 'running')
  await move(disk, 'default')
  await arrived(disk, 'default')
})

test('says why a disk of a running instance does not move', async () => {
  const name = fresh()
  await create(name, `/mnt/sim-far-${name}`)
  const { hosts } = await view(name)
  const disk = `${name}-disk`
  const { id } = await running(`${name}-box`, disk)
  const params = { instance: id }
  const sledOf = () => admin.call('instance_sled_view', { params })
  const isNear = (serial: string) => hosts.find((host) => host.serial === serial)!.problem === null
  const { sled } = await sledOf()
  if (isNear(sled!.serial)) {
    const onSled = { sled_id: sled!.id, instance_id: id }
    const { items } = await admin.call('instance_destination_list', { params: onSled })
    const far = items.find(({ serial, problem }) => problem === null && !isNear(serial))!
    await admin.call('instance_move', { params: onSled, body: { sled_id: far.id } })
    await until(sledOf, (seen) => expect(seen.sled?.id).toBe(far.id))
    await inState(id, 'running')
  }
  expect(
    await admin.refusal('disk_move', { params: { disk }, query, body: { pool: name } }),
  ).toMatchObject({
    status: 400,
    message: diskMoveMessages.unreached(name),
  })
  // The engine has reasons of its own.
  const { faults } = server.host.controlPlane.engines
  const reason = 'Its host could not copy the disk'
  const near = fresh()
  await create(near)
  faults.inject((action) => {
    if (action === 'moveVolume') throw new DiskCopyError(reason)
  })
  onTestFinished(() => faults.inject())
  await move(disk, near)
  await until(
    () => storageOf(disk),
    (seen) => expect(seen).toMatchObject({ pool: { name: 'default' }, move: { problem: reason } }),
  )
  expect(await stateOf(disk)).toBe('attached')
})

test('a pool is looked at again when a host that did not reach it answers', async () => {
  const name = fresh()
  const { id } = await create(name, `/mnt/sim-far-${name}`)
  const { hosts, time_checked } = await until(
    () => view(name),
    ({ state }) => expect(state).toBe('healthy'),
  )
  const { serial } = hosts.find(({ problem }) => problem !== null)!
  // The next look is far away.
  const reconcile_at = fromNow(3_600_000).toISOString()
  await server.db.updateTable('storage_pool').set({ reconcile_at }).where('id', '=', id).execute()
  const power = (on: boolean) =>
    admin.call('simulated_sled_set_power', { params: { serial }, body: { on } })
  await power(false)
  await until(
    () => admin.call('sled_search'),
    ({ items }) =>
      expect(items.find((sled) => sled.name === serial)).toMatchObject({ responding: false }),
  )
  await power(true)
  await until(
    () => view(name),
    (seen) => expect(seen.time_checked).not.toBe(time_checked),
  )
})

test('the new disks of an instance are each in a pool of their own', async () => {
  const name = fresh()
  const other = fresh()
  await create(name)
  await create(other)
  await admin.call('disk_create', { query, body: blankDisk(`${name}-old`) })
  const params = { project: 'web' }
  const newDisk = (disk: string) => ({ type: 'create' as const, ...blankDisk(`${name}-${disk}`) })
  const body = {
    ...smallInstance(`${name}-box`),
    boot_disk: newDisk('boot'),
    disks: [newDisk('data'), newDisk('more'), { type: 'attach' as const, name: `${name}-old` }],
    disk_pools: [
      { disk: `${name}-boot`, pool: name },
      { disk: `${name}-data`, pool: other },
    ],
  }
  const instance = await admin.call('storage_pool_instance_create', { params, body })
  await inState(instance.id, 'stopped')
  const pools = ['boot', 'data', 'more', 'old'].map(
    async (disk) => (await storageOf(`${name}-${disk}`)).pool,
  )
  expect((await Promise.all(pools)).map((pool) => pool.name)).toEqual([
    name,
    other,
    'default',
    'default',
  ])
  expect(await view(name)).toMatchObject({ provisioned: GiB, disks: 1 })
})

test('a new instance has pools for its new disks alone, and one for each', async () => {
  const name = fresh()
  await create(name)
  await admin.call('disk_create', { query, body: blankDisk(`${name}-old`) })
  const refusal = (...disk_pools: { disk: string; pool: string }[]) =>
    admin.refusal('storage_pool_instance_create', {
      params: { project: 'web' },
      body: {
        ...smallInstance(`${name}-box`),
        boot_disk: { type: 'create' as const, ...blankDisk(`${name}-boot`) },
        disks: [{ type: 'attach' as const, name: `${name}-old` }],
        disk_pools,
      },
    })
  const boot = { disk: `${name}-boot`, pool: name }
  expect(await refusal({ ...boot, pool: 'nowhere' })).toMatchObject({ status: 404 })
  for (const [disk_pools, message] of [
    [[{ disk: `${name}-old`, pool: name }], `no disk "${name}-old" is created with the instance`],
    [[boot, { ...boot, pool: 'default' }], `disk "${name}-boot" has two storage pools`],
  ] as const) {
    expect(await refusal(...disk_pools)).toMatchObject({
      status: 400,
      message: expect.stringContaining(message),
    })
  }
})

test('an instance runs where the pools of its disks are reached', async () => {
  const name = fresh()
  await create(name, `/mnt/sim-far-${name}`)
  const { hosts } = await view(name)
  const near = hosts.filter(({ problem }) => problem === null).map(({ serial }) => serial)
  expect(near).toHaveLength(2)
  await diskIn(name, `${name}-disk`)
  const body = {
    ...smallInstance(`${name}-box`),
    disks: [{ type: 'attach' as const, name: `${name}-disk` }],
  }
  const { id } = await admin.call('instance_create', { query, body: { ...body, start: true } })
  const running = await until(
    () => admin.call('instance_sled_view', { params: { instance: id } }),
    ({ sled }) => expect(sled).not.toBeNull(),
  )
  expect(near).toContain(running.sled!.serial)
  const { items } = await admin.call('instance_destination_list', {
    params: { sled_id: running.sled!.id, instance_id: id },
  })
  const others = items.filter(({ serial }) => !near.includes(serial))
  expect(others.map(({ problem }) => problem)).toEqual(
    others.map(() => placementProblems.pool(name)),
  )
  const { items: sleds } = await admin.call('sled_search')
  const closed = sleds.filter(({ name: serial }) => near.includes(serial))
  const set = (state: Wire.SledProvisionPolicy) =>
    Promise.all(
      closed.map((sled) =>
        admin.call('sled_set_provision_policy', { params: { sled_id: sled.id }, body: { state } }),
      ),
    )
  onTestFinished(async () => void (await set('provisionable')))
  await set('non_provisionable')
  await diskIn(name, `${name}-second`)
  const second = {
    ...smallInstance(`${name}-two`),
    disks: [{ type: 'attach' as const, name: `${name}-second` }],
  }
  const { id: other } = await admin.call('instance_create', {
    query,
    body: { ...second, start: false },
  })
  const refused = await admin.refusal('instance_start', { params: { instance: other } })
  expect(refused.message).toContain(placementProblems.poolNowhere(name))
})

test('the first pool stays', async () => {
  expect(await admin.refusal('storage_pool_delete', { params: { pool: 'default' } })).toMatchObject(
    {
      status: 409,
      message: expect.stringContaining(storagePoolMessages.builtIn),
    },
  )
})

/** The measurements of a pool that the server has collected. */
async function measured(pool: string, metric: string) {
  const { tables } = await admin.call('system_timeseries_query', {
    body: { query: `get zfs_pool:${metric} | filter pool_name == "${pool}"` },
  })
  return tables.flatMap(({ timeseries }) => timeseries)
}

test('the room of a pool is measured once, however many hosts see it', async () => {
  const name = fresh()
  const { id, size } = await create(name)
  await diskIn(name, `${name}-data`, 2 * GiB)
  const away = fresh()
  expect(await create(away, '/mnt/elsewhere')).toMatchObject({ state: 'unreachable' })
  await server.host.controlPlane.collect()
  for (const [metric, bytes] of [
    ['bytes_allocated', 2 * GiB],
    ['bytes_total', size],
  ] as const) {
    const series = await measured(name, metric)
    expect(series).toHaveLength(1)
    expect(series[0]).toMatchObject({
      fields: {
        pool_id: { type: 'uuid', value: id },
        pool_kind: { type: 'string', value: 'external' },
        // It belongs to no sled.
        sled_serial: { type: 'string', value: '' },
      },
      points: { values: [{ values: { values: [bytes] } }] },
    })
  }
  const { query: preset } = alertRulePresets.system.find((each) => each.query.includes('zfs_pool'))!
  const { tables } = await admin.call('system_timeseries_query', { body: { query: preset } })
  const named = tables.flatMap(({ timeseries }) =>
    timeseries.map(({ fields }) => fields.pool_name?.value),
  )
  expect(named).toContain(name)
  // Zero would say that it is empty.
  expect(await measured(away, 'bytes_allocated')).toEqual([])
  // Physical disks are measured each, and not once more as the pool that they are together.
  expect(await measured('default', 'bytes_total')).toEqual([])
})

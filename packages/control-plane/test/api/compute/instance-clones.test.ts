/** Clones of instances: what comes along, what is left behind, and who may make them. */
import { randomBytes } from 'node:crypto'
import type { Wire } from '@steading/api'
import { cloneMessages, GiB, quotaMessages } from '@steading/api/rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { contentsOf, importedDisk } from '../../support/storage.ts'
import {
  affinityBody,
  blankDisk,
  detachedDisk,
  reaches,
  sshKeyBody,
  stoppedInstance,
  until,
} from '../../support/things.ts'

let server: TestServer
let admin: Caller
const project: Record<'work' | 'elsewhere', string> = { work: '', elsewhere: '' }
const query = { project: 'work' }
const nothing = Buffer.alloc(512)

beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  for (const name of ['work', 'elsewhere'] as const) {
    project[name] = (await admin.call('project_create', { body: { name, description: '' } })).id
  }
})
afterAll(() => server.close())

let count = 0
const fresh = (word = 'it') => `${word}-${count++}`
const attach = (name: string) => ({ type: 'attach' as const, name })

/** A stopped instance with disks of the given names, the first of which it is booted from. */
async function machine(disks: string[], values: object = {}): Promise<Wire.Instance> {
  const [boot, ...others] = disks
  return stoppedInstance(admin, query, fresh('source'), {
    ...(boot && { boot_disk: attach(boot) }),
    disks: others.map(attach),
    ...values,
  })
}

type Body = Partial<Wire.InstanceCloneCreate>
const bodyOf = (values: Body): Wire.InstanceCloneCreate =>
  ({
    name: fresh('copy'),
    description: '',
    start: false,
    ...values,
  }) as Wire.InstanceCloneCreate
const clone = (source: Wire.Instance, values: Body = {}, caller = admin) =>
  caller.call('instance_clone', { params: { instance: source.id }, body: bodyOf(values) })
const refused = (source: Wire.Instance, values: Body = {}, caller = admin) =>
  caller.refusal('instance_clone', { params: { instance: source.id }, body: bodyOf(values) })
const viewOf = ({ id }: Wire.Instance, caller = admin) =>
  caller.call('instance_clone_view', { params: { instance: id } })
/** Waits for the end of a clone. */
const ended = async (made: Wire.Instance): Promise<Wire.InstanceClone> =>
  (
    await until(
      () => viewOf(made),
      (view) => expect(view.clone!.state).not.toBe('copying'),
    )
  ).clone!
const disksOf = async ({ id }: Wire.Instance) =>
  (await admin.call('instance_disk_list', { params: { instance: id } })).items
const snapshotsOf = async (disk: string) => {
  const { items } = await admin.call('snapshot_list', { query: { ...query, limit: 1000 } })
  return items.filter(({ disk_id }) => disk_id === disk)
}

test('has copies of the disks, new addresses, and everything else alike', async () => {
  const bytes = randomBytes(4096)
  const boot = await importedDisk(admin, 'work', fresh('boot'), bytes)
  const data = await importedDisk(admin, 'work', fresh('data'), Buffer.from(bytes.toReversed()))
  const group = fresh('apart')
  const friends = fresh('together')
  await admin.call('anti_affinity_group_create', { query, body: affinityBody(group) })
  await admin.call('affinity_group_create', { query, body: affinityBody(friends) })
  await admin.call('current_user_ssh_key_create', { body: sshKeyBody('mine') })
  const source = await machine([boot.name, data.name], {
    ncpus: 2,
    memory: 2 * GiB,
    user_data: 'aGVsbG8=',
    external_ips: [{ type: 'ephemeral' }],
    anti_affinity_groups: [group],
    auto_restart_policy: 'never',
  })
  await admin.call('affinity_group_member_instance_add', {
    params: { affinity_group: friends, instance: source.name },
    query,
  })
  const floating = fresh('front')
  await admin.call('floating_ip_create', { query, body: { name: floating, description: '' } })
  await admin.call('floating_ip_attach', {
    params: { floating_ip: floating },
    query,
    body: { kind: 'instance', parent: source.name },
  })
  const tagged = { kind: 'instance' as const, thing: source.id }
  await admin.call('tags_replace', { params: tagged, body: { tags: ['env:prod'] } })

  const made = await clone(source, { hostname: 'twin.example' })
  expect(made).toMatchObject({ ncpus: 2, memory: 2 * GiB, hostname: 'twin.example' })
  expect(made.auto_restart_policy).toBe('never')
  expect(await ended(made)).toMatchObject({
    state: 'done',
    reason: null,
    source_id: source.id,
    source_name: source.name,
    source_project_name: null,
    user_name: 'admin',
    disks: 2,
    disks_made: 2,
    snapshots_left: 0,
  })
  await reaches(admin, made.id, 'stopped')

  const [copyOfBoot, copyOfData] = await disksOf(made)
  expect(copyOfBoot!.id).toBe(made.boot_disk_id)
  expect(await contentsOf(admin, 'disks', copyOfBoot!.id, 0, 4096)).toEqual(bytes)
  expect(await contentsOf(admin, 'disks', copyOfData!.id, 0, 4096)).toEqual(
    Buffer.from(bytes.toReversed()),
  )
  // The snapshots were only a means.
  expect(copyOfBoot!.snapshot_id ?? null).toBeNull()
  for (const { id } of [boot, data]) expect(await snapshotsOf(id)).toEqual([])

  const nics = (instance: string) =>
    admin.call('instance_network_interface_list', { query: { instance } })
  const [before] = (await nics(source.id)).items
  const [after] = (await nics(made.id)).items
  expect(after).toMatchObject({ name: before!.name, subnet_id: before!.subnet_id, primary: true })
  expect(after!.ip_stack).toMatchObject({ type: 'dual_stack' })
  expect(after!.ip_stack).not.toEqual(before!.ip_stack)
  const { items: ips } = await admin.call('instance_external_ip_list', {
    params: { instance: made.id },
  })
  expect(ips.map(({ kind }) => kind).toSorted()).toEqual(['ephemeral', 'snat'])
  const { instance_id } = await admin.call('floating_ip_view', {
    params: { floating_ip: floating },
    query,
  })
  expect(instance_id).toBe(source.id)

  const row = await server.db
    .selectFrom('instance')
    .select('user_data')
    .where('id', '=', made.id)
    .executeTakeFirstOrThrow()
  expect(row.user_data).toBe('aGVsbG8=')
  const params = { instance: made.id }
  const { items: apart } = await admin.call('instance_anti_affinity_group_list', { params })
  const { items: together } = await admin.call('instance_affinity_group_list', { params })
  expect([...apart, ...together].map(({ name }) => name)).toEqual([group, friends])
  const { items: keys } = await admin.call('instance_ssh_public_key_list', { params })
  expect(keys.map(({ name }) => name)).toEqual(['mine'])
  const { tags } = await admin.call('tags_view', {
    params: { kind: 'instance' as const, thing: made.id },
  })
  expect(tags).toEqual(['env:prod'])
})

test('runs as soon as its disks are made, and is deleted like any other', async () => {
  const disk = await detachedDisk(admin, query, fresh('boot'))
  const source = await machine([disk.name])
  const made = await clone(source, { start: true })
  await reaches(admin, made.id, 'running')
  expect((await ended(made)).state).toBe('done')
  const params = { instance: made.id }
  await admin.call('instance_stop', { params })
  await reaches(admin, made.id, 'stopped')
  await admin.call('instance_delete', { params })
  const rows = await server.db
    .selectFrom('instance_clone')
    .select('id')
    .where('instance_id', '=', made.id)
    .execute()
  expect(rows).toEqual([])
  expect((await viewOf(source)).clone).toBeNull()
})

test('is made of existing snapshots, of the chosen disks, in another project', async () => {
  const bytes = randomBytes(1024)
  const boot = await importedDisk(admin, 'work', fresh('boot'), bytes, fresh('then'))
  const [snapshot] = await snapshotsOf(boot.id)
  const local = await admin.call('disk_create', {
    query,
    body: blankDisk(fresh('scratch'), { disk_backend: { type: 'local' } }),
  })
  const disk_source = { type: 'snapshot', snapshot_id: snapshot!.id, read_only: true }
  const cd = await detachedDisk(admin, query, fresh('cd'), {
    disk_backend: { type: 'distributed', disk_source },
  })
  const left = await detachedDisk(admin, query, fresh('left'))
  const source = await machine([boot.name, local.name, cd.name, left.name])
  const made = await clone(source, {
    project: 'elsewhere',
    disks: [
      { disk: cd.name, name: fresh('cd'), snapshot: null },
      { disk: boot.id, name: fresh('boot'), snapshot: snapshot!.name },
      { disk: local.name, name: fresh('scratch'), snapshot: null },
    ],
  })
  expect(made.project_id).toBe(project.elsewhere)
  expect(await ended(made)).toMatchObject({ state: 'done', source_project_name: 'work', disks: 3 })
  const disks = await disksOf(made)
  expect(disks.map(({ disk_type, read_only }) => [disk_type, read_only])).toEqual([
    ['distributed', false],
    ['distributed', true],
    ['local', false],
  ])
  expect(disks[0]!.id).toBe(made.boot_disk_id)
  for (const copy of disks.slice(0, 2)) {
    expect(await contentsOf(admin, 'disks', copy.id, 0, 1024)).toEqual(bytes)
  }
  expect(await contentsOf(admin, 'disks', disks[2]!.id, 0, 512)).toEqual(nothing)
  // The snapshot was there before, and stays.
  expect(await snapshotsOf(boot.id)).toHaveLength(1)
})

test('is refused as a whole, and leaves nothing', async () => {
  const disk = await detachedDisk(admin, query, fresh('boot'))
  const other = await detachedDisk(admin, query, fresh('other'))
  const source = await machine([disk.name])
  const snapshot = await server.createSnapshot(fresh('foreign'), project.work)
  const one = { disk: disk.name, name: fresh('boot'), snapshot: null }
  const say = (message: string) => `unsupported value for "disks": ${message}`
  expect((await refused(source, { disks: [{ ...one, disk: other.name }] })).message).toBe(
    say(cloneMessages.noDisk(other.name)),
  )
  expect((await refused(source, { disks: [one, { ...one, name: fresh() }] })).message).toBe(
    say(cloneMessages.twice(disk.name)),
  )
  expect((await refused(source, { disks: [{ ...one, snapshot: snapshot.name }] })).message).toBe(
    say(cloneMessages.otherSnapshot(disk.name)),
  )
  expect((await refused(source, { disks: [{ ...one, name: other.name }] })).error_code).toBe(
    'ObjectAlreadyExists',
  )
  expect((await refused(source, { name: source.name })).error_code).toBe('ObjectAlreadyExists')
  expect((await refused(source, { project: 'absent' })).status).toBe(404)
  expect((await refused(source, { anti_affinity_groups: ['absent'] })).status).toBe(404)

  const silo = { params: { silo: server.siloId } }
  const quotas = await admin.call('silo_quotas_view', silo)
  const used = await server.db
    .selectFrom('silo')
    .select(['used_storage', 'used_cpus'])
    .where('id', '=', server.siloId)
    .executeTakeFirstOrThrow()
  // Room for the snapshot, but not for the copy.
  await admin.call('silo_quotas_update', {
    ...silo,
    body: { storage: Number(used.used_storage) + GiB },
  })
  expect(await refused(source)).toMatchObject({
    status: 507,
    message: `Insufficient capacity: ${quotaMessages.storage}`,
  })
  await admin.call('silo_quotas_update', {
    ...silo,
    body: { storage: quotas.storage, cpus: Number(used.used_cpus) },
  })
  expect(await refused(source, { start: true })).toMatchObject({
    status: 507,
    message: `Insufficient capacity: ${quotaMessages.cpus}`,
  })
  await admin.call('silo_quotas_update', { ...silo, body: { cpus: quotas.cpus } })

  expect(await snapshotsOf(disk.id)).toEqual([])
  const { items } = await admin.call('disk_list', { query: { ...query, limit: 1000 } })
  expect(items.some(({ name }) => name === one.name)).toBe(false)
  const now = await server.db
    .selectFrom('silo')
    .select('used_storage')
    .where('id', '=', server.siloId)
    .executeTakeFirstOrThrow()
  expect(now.used_storage).toBe(used.used_storage)
})

test('needs the right to read the source and to create in the target', async () => {
  const disk = await detachedDisk(admin, query, fresh('boot'))
  const source = await machine([disk.name])
  const { caller: reader } = await server.createUser(fresh('reader'), {
    projects: { [project.work]: 'viewer', [project.elsewhere]: 'collaborator' },
  })
  const { caller: neighbour } = await server.createUser(fresh('neighbour'), {
    projects: { [project.elsewhere]: 'collaborator' },
  })
  expect((await refused(source, {}, reader)).status).toBe(403)
  expect((await refused(source, { project: 'elsewhere' }, neighbour)).status).toBe(404)
  const made = await clone(source, { project: 'elsewhere' }, reader)
  expect((await ended(made)).state).toBe('done')
  expect((await viewOf(made, reader)).clone!.source_name).toBe(source.name)
  // The name of the source is for its readers.
  expect((await viewOf(made, neighbour)).clone).toMatchObject({
    source_id: null,
    source_name: null,
    source_project_name: null,
  })
})

test('carries user data only for those who may change the source', async () => {
  const source = await machine([], { user_data: 'aGVsbG8=' })
  const { caller: reader } = await server.createUser(fresh('reader'), {
    projects: { [project.work]: 'viewer', [project.elsewhere]: 'collaborator' },
  })
  expect(await refused(source, { project: 'elsewhere' }, reader)).toMatchObject({
    status: 403,
    message: cloneMessages.userData(source.name),
  })
  const userDataOf = async ({ id }: Wire.Instance) =>
    (
      await server.db
        .selectFrom('instance')
        .select('user_data')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).user_data
  const without = await clone(source, { project: 'elsewhere', user_data: '' }, reader)
  expect(await userDataOf(without)).toBe('')
  const other = await clone(source, { project: 'elsewhere', user_data: 'b3RoZXI=' }, reader)
  expect(await userDataOf(other)).toBe('b3RoZXI=')
})

test('says which contents are missing, and does not start', async () => {
  const disk = await detachedDisk(admin, query, fresh('boot'))
  const source = await machine([disk.name])
  const snapshot = await server.createSnapshot(fresh('lost'), project.work, disk.id)
  const set = (state: 'creating' | 'faulted') =>
    server.db
      .updateTable('snapshot')
      .set({ state, reconcile_at: null })
      .where('id', '=', snapshot.id)
      .execute()
  await set('creating')
  const name = fresh('boot')
  const made = await clone(source, {
    start: true,
    disks: [{ disk: disk.name, name, snapshot: snapshot.name }],
  })
  expect((await viewOf(made)).clone).toMatchObject({ state: 'copying', disks: 1, disks_made: 0 })
  await set('faulted')
  expect(await ended(made)).toMatchObject({ state: 'failed', reason: cloneMessages.failed([name]) })
  await reaches(admin, made.id, 'stopped')
  const [copy] = await disksOf(made)
  expect(copy!.state.state).toBe('faulted')
})

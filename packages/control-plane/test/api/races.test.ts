/** Concurrent calls of which only one may succeed, on the rows of one project. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findDangling } from '../../src/kernel/db/references.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { createProvider, patchOf, type Resource } from '../support/scim.ts'
import { blankDisk, siloBody } from '../support/things.ts'

const ROUNDS = 15

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const send = async (method: string, path: string, body?: object): Promise<number> => {
  const response = await server.admin.fetch(path, {
    method,
    body: body && JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
  await response.arrayBuffer()
  return response.status
}

/** A project without anything in it. */
async function emptyProject(name: string): Promise<void> {
  await server.admin.call('project_create', { body: { name, description: '' } })
  const subnet = { params: { subnet: 'default' }, query: { project: name, vpc: 'default' } }
  await server.admin.call('vpc_subnet_delete', subnet)
  await server.admin.call('vpc_delete', { params: { vpc: 'default' }, query: { project: name } })
}

/** A disk for the calls that need one. */
async function createDisk(project: string): Promise<void> {
  await server.admin.call('disk_create', { query: { project }, body: blankDisk('data') })
  await expect
    .poll(async () => {
      const params = { disk: 'data' }
      return (await server.admin.call('disk_view', { params, query: { project } })).state.state
    })
    .toBe('detached')
}

const succeeded = (statuses: number[]): number => statuses.filter((status) => status < 300).length

test('either creates a disk in a project, or deletes the project', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const name = `vanishing-${round}`
    await emptyProject(name)
    const statuses = await Promise.all([
      send('POST', `/v1/disks?project=${name}`, blankDisk('data')),
      send('DELETE', `/v1/projects/${name}`),
      send('POST', `/v1/disks?project=${name}`, blankDisk('more')),
    ])
    const [one, deleted, other] = statuses
    expect(statuses.every((status) => status < 500)).toBe(true)
    // Either the project is gone and has no disks, or it has them and stays.
    expect([one, other]).toEqual(deleted === 204 ? [404, 404] : [201, 201])
  }
  expect(await findDangling(server.db)).toEqual([])
})

test('deletes a disk, with or without a snapshot taken of it before', async () => {
  await server.admin.call('project_create', { body: { name: 'web', description: '' } })
  for (let round = 0; round < ROUNDS; round++) {
    await createDisk('web')
    const snapshot = { name: `s${round}`, description: '', disk: 'data' }
    const [deleted, taken] = await Promise.all([
      send('DELETE', '/v1/disks/data?project=web'),
      send('POST', '/v1/snapshots?project=web', snapshot),
    ])
    expect(deleted).toBe(204)
    expect([201, 404]).toContain(taken)
  }
  expect(await findDangling(server.db)).toEqual([])
})

test('either deletes a disk, or attaches it to a new instance', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    await createDisk('web')
    const name = `vm${round}`
    const instance = {
      name,
      hostname: name,
      description: '',
      ncpus: 1,
      memory: 2 ** 30,
      start: false,
      network_interfaces: { type: 'none' },
      disks: [{ type: 'attach', name: 'data' }],
    }
    const statuses = await Promise.all([
      send('DELETE', '/v1/disks/data?project=web'),
      send('POST', '/v1/instances?project=web', instance),
    ])
    expect(succeeded(statuses)).toBe(1)
    expect(statuses.every((status) => status < 500)).toBe(true)
    if (statuses[1] !== 201) continue
    await expect.poll(() => send('DELETE', `/v1/instances/${name}?project=web`)).toBe(204)
    await server.admin.call('disk_delete', { params: { disk: 'data' }, query: { project: 'web' } })
  }
  expect(await findDangling(server.db)).toEqual([])
})

/** Rounds of the races about bytes, which the reconciler ends. */
const BYTE_ROUNDS = 3

/** The answer of a disk once nothing is to be done for it. */
const settledDisk = async (disk: string) => {
  await expect
    .poll(async () => {
      const row = await server.db
        .selectFrom('disk')
        .select(['state', 'growing'])
        .where('id', '=', disk)
        .executeTakeFirstOrThrow()
      return row.growing === 0 && row.state !== 'maintenance'
    })
    .toBe(true)
  return server.admin.call('disk_view', { params: { disk } })
}

test('rolls a disk back, or refuses because its snapshot is deleted or its instance starts', async () => {
  const query = { project: 'web' }
  for (let round = 0; round < BYTE_ROUNDS; round++) {
    await createDisk('web')
    const disk = await server.admin.call('disk_view', { params: { disk: 'data' }, query })
    const body = { name: `source${round}`, description: '', disk: 'data' }
    const snapshot = await server.admin.call('snapshot_create', { query, body })
    const instance = `rolling${round}`
    const network_interfaces = { type: 'none' }
    const size = { ncpus: 1, memory: 2 ** 30, start: false, network_interfaces }
    const disks = [{ type: 'attach', name: 'data' }]
    const named = { name: instance, hostname: instance, description: '' }
    await send('POST', '/v1/instances?project=web', { ...named, ...size, disks })
    const state = async () =>
      (await server.admin.call('instance_view', { params: { instance }, query })).run_state
    await expect.poll(state).toBe('stopped')
    const [rolledBack, started, deleted] = await Promise.all([
      send('POST', `/x/v1/disks/${disk.id}/roll-back`, { snapshot: snapshot.id }),
      send('POST', `/v1/instances/${instance}/start?project=web`),
      send('DELETE', `/v1/snapshots/${snapshot.id}`),
    ])
    expect(deleted).toBe(204)
    expect([202, 400, 404]).toContain(rolledBack)
    expect([202, 409]).toContain(started)
    // The start is refused only while the disk is being rolled back.
    if (started === 409) expect(rolledBack).toBe(202)
    expect((await settledDisk(disk.id)).state.state).toBe('attached')
    if (started === 202) {
      await expect.poll(state).toBe('running')
      await send('POST', `/v1/instances/${instance}/stop?project=web`)
      await expect.poll(state).toBe('stopped')
    }
    expect(await send('DELETE', `/v1/instances/${instance}?project=web`)).toBe(204)
    await expect.poll(() => send('DELETE', `/v1/disks/${disk.id}`)).toBe(204)
  }
  expect(await findDangling(server.db)).toEqual([])
})

test('grows a disk once, with a snapshot of either size, and is charged for what is left', async () => {
  const query = { project: 'web' }
  const used = async () =>
    (await server.admin.call('utilization_view')).provisioned.storage / 2 ** 30
  for (let round = 0; round < BYTE_ROUNDS; round++) {
    await createDisk('web')
    const { id } = await server.admin.call('disk_view', { params: { disk: 'data' }, query })
    const before = await used()
    const grow = (gib: number) => send('POST', `/x/v1/disks/${id}/grow`, { size: gib * 2 ** 30 })
    const body = { name: `either${round}`, description: '', disk: 'data' }
    const [grown, more, taken] = await Promise.all([
      grow(2),
      grow(3),
      send('POST', '/v1/snapshots?project=web', body),
    ])
    expect(succeeded([grown, more])).toBeGreaterThan(0)
    // The second is refused while the first goes on, or is no longer larger.
    for (const status of [grown, more]) expect([202, 400, 409]).toContain(status)
    expect(taken).toBe(201)
    const disk = await settledDisk(id)
    const snapshot = () =>
      server.admin.call('snapshot_view', { params: { snapshot: body.name }, query })
    await expect.poll(async () => (await snapshot()).state).toBe('ready')
    const sizes = [disk.size, (await snapshot()).size].map((bytes) => bytes / 2 ** 30)
    expect(await used()).toBe(before - 1 + sizes[0]! + sizes[1]!)
    expect(await send('DELETE', `/v1/disks/${id}`)).toBe(204)
    expect(await used()).toBe(before - 1 + sizes[1]!)
  }
})

test('two instances that start at once stay apart, as their group demands', async () => {
  const query = { project: 'web' }
  const group = { name: 'apart', description: '', policy: 'fail', failure_domain: 'sled' } as const
  await server.admin.call('anti_affinity_group_create', { query, body: group })
  const names = ['one', 'two', 'three', 'four']
  for (const name of names) {
    const size = { ncpus: 1, memory: 2 ** 30, start: false }
    const nets = { network_interfaces: { type: 'none' as const } }
    const body = { name, hostname: name, description: '', ...size, ...nets }
    const anti_affinity_groups = ['apart']
    await server.admin.call('instance_create', { query, body: { ...body, anti_affinity_groups } })
  }
  const states = async () =>
    (await server.admin.call('instance_list', { query })).items.map(({ run_state }) => run_state)
  await expect.poll(states).toEqual(names.map(() => 'stopped'))
  const statuses = await Promise.all(
    names.map((name) => send('POST', `/v1/instances/${name}/start?project=web`)),
  )
  expect(statuses).toEqual(names.map(() => 202))
  const sleds = await server.db
    .selectFrom('instance')
    .select('sled_id')
    .where('sled_id', 'is not', null)
    .execute()
  expect(new Set(sleds.map(({ sled_id }) => sled_id)).size).toBe(names.length)
})

test('either deletes a silo, or creates a project in it, on any server', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const name = `vanishing-silo-${round}`
    const { id } = await server.admin.call('silo_create', { body: siloBody(name) })
    const { caller } = await server.createUser(`in-${name}`, { silo: 'admin' }, id)
    // Each server now has the caller in its cache.
    for (let call = 0; call < 2; call++) await caller.call('current_user_view')
    const [made, deleted] = await Promise.all([
      caller.send('POST', '/v1/projects', { body: { name: 'web', description: '' } }),
      server.admin.send('DELETE', `/v1/system/silos/${name}`),
    ])
    if (deleted.status === 204) expect([401, 404]).toContain(made.status)
    else expect([deleted.status, made.status]).toEqual([400, 201])
  }
  expect(await findDangling(server.db)).toEqual([])
})

test('reads a group either before or after a concurrent change', async () => {
  const provider = await createProvider(server)
  const ids: string[] = []
  for (let index = 0; index < 3; index++) ids.push((await provider.user(`member-${index}`)).id)
  const group = await provider.group('0 members')
  const path = `/Groups/${group.id}`
  let changing = true
  const reads = async () => {
    const torn: unknown[] = []
    while (changing) {
      const { displayName, members } = await provider.ok<
        Resource & { displayName: string; members: object[] }
      >(200, 'GET', path)
      if (displayName !== `${members.length} members`) torn.push({ displayName, members })
    }
    return torn
  }
  const readers = Promise.all([reads(), reads(), reads()])
  for (let round = 1; round <= 4 * ROUNDS; round++) {
    const members = ids.slice(0, round % 4).map((value) => ({ value }))
    const name = { op: 'replace', path: 'displayName', value: `${members.length} members` }
    await provider.ok(
      204,
      'PATCH',
      path,
      patchOf(name, { op: 'replace', path: 'members', value: members }),
    )
  }
  changing = false
  expect((await readers).flat()).toEqual([])
})

test('changes at the same time make versions in their order, and none is lost', async () => {
  const CHANGES = 5
  const project = 'versioned'
  const { admin } = server
  await admin.call('project_create', { body: { name: project, description: '' } })
  const vpc = await admin.call('vpc_view', { params: { vpc: 'default' }, query: { project } })
  const rule = (name: string) => ({
    name,
    description: '',
    status: 'enabled',
    direction: 'inbound',
    action: 'allow',
    priority: 1,
    targets: [],
    filters: {},
  })
  const names = Array.from({ length: CHANGES }, (_, index) => `rule-${index}`)
  const path = `/v1/vpc-firewall-rules?vpc=${vpc.id}`
  const statuses = await Promise.all(
    names.map((name) => send('PUT', path, { rules: [rule(name)] })),
  )
  expect(statuses).toEqual(names.map(() => 200))
  const params = { setting: 'firewall_rules' as const, thing: vpc.id }
  const { items } = await admin.call('setting_version_list', { params })
  // The one before the first change, and one of each.
  expect(items.map(({ version }) => version)).toEqual(
    Array.from({ length: CHANGES + 1 }, (_, index) => CHANGES + 1 - index),
  )
  const made: string[] = []
  for (const { version } of items.slice(0, -1)) {
    const at = { params: { ...params, version: String(version) } }
    const { items: rules } = await admin.call('setting_version_view', at)
    made.push(...rules.map(({ key }) => key))
  }
  expect(made.toSorted()).toEqual(names.toSorted())
  const { rules } = await admin.call('vpc_firewall_rules_view', { query: { vpc: vpc.id } })
  expect(rules.map(({ name }) => name)).toEqual([made[0]])

  // Of several restorations of what their callers saw, one succeeds.
  const latest = items[0]!.version
  const restored = await Promise.all(
    [2, 3, 4].map((version) =>
      send('POST', `/x/v1/setting-versions/firewall_rules/${vpc.id}/${version}/restore`, {
        latest,
      }),
    ),
  )
  expect(restored.toSorted()).toEqual([200, 412, 412])
})

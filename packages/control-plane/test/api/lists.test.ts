/** Lists at scale: `/x/v1` searches, filters and sorts the lists of `/v1`. */
import { randomBytes } from 'node:crypto'
import type { Wire } from '@steading/api'
import { diskStates, GiB, LIST_COUNT_MAX } from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { diskRow, floatingIpRow, instanceRow, storeRows } from '../support/many.ts'
import { importedDisk } from '../support/storage.ts'
import { affinityBody, smallInstance, stoppedInstance } from '../support/things.ts'

let server: TestServer
let projectId: string

beforeAll(async () => {
  server = await startTestServer()
  for (const name of ['web', 'other']) {
    await server.admin.call('project_create', { body: { name, description: '' } })
  }
  projectId = (await server.admin.call('project_view', { params: { project: 'web' } })).id
})
afterAll(() => server.close())

type Query = Partial<Wire.Operations['instance_search']['query']>
const search = (query: Query = {}) =>
  server.admin.call('instance_search', { query: { project: 'web', ...query } })
const namesOf = ({ items }: { items: { name: string }[] }) => items.map(({ name }) => name)
const refused = (query: Record<string, string>) =>
  server.admin.refusal('instance_search', { query: { project: 'web', ...query } as Query })

const clear = () => server.db.deleteFrom('instance').where('project_id', '=', projectId).execute()

describe('a list of instances', () => {
  beforeAll(async () => {
    await clear()
    await storeRows(server.db, 'instance', [
      instanceRow(projectId, 'web-1', { run_state: 'running', description: 'Front of the shop' }),
      instanceRow(projectId, 'web-2', { run_state: 'stopped' }),
      instanceRow(projectId, 'db', { run_state: 'running' }),
      instanceRow(projectId, 'gone', { time_deleted: new Date().toISOString() }),
    ])
  })

  test('equals the plain list', async () => {
    const plain = await server.admin.call('instance_list', { query: { project: 'web' } })
    const { items, total } = await search()
    expect(items).toEqual(
      plain.items.map((instance) => ({
        ...instance,
        external_ips: [],
        private_ips: [],
        image_id: null,
        failure: null,
        // For operators.
        sled: null,
      })),
    )
    expect(total).toBe(3)
    expect((await search({ project: 'other' })).total).toBe(0)
  })

  test('is searched in names and descriptions, case-insensitively', async () => {
    expect(namesOf(await search({ search: 'WEB' }))).toEqual(['web-1', 'web-2'])
    expect(namesOf(await search({ search: 'front of' }))).toEqual(['web-1'])
    expect(namesOf(await search({ search: '' }))).toHaveLength(3)
    expect(await search({ search: 'nobody' })).toEqual({ items: [], next_page: null, total: 0 })
  })

  test('is filtered by states', async () => {
    expect(namesOf(await search({ state: 'running' }))).toEqual(['db', 'web-1'])
    expect(namesOf(await search({ state: 'running,stopped', search: 'web' }))).toHaveLength(2)
  })

  test('are sorted by the numbers in their names, even after a rename', async () => {
    const create = (name: string) =>
      server.admin.call('project_create', { body: { name, description: 'numbered' } })
    for (const name of ['disk-10', 'disk-2', 'disk-02', 'disk-1-b', 'other-9']) await create(name)
    await server.admin.call('project_update', {
      params: { project: 'other-9' },
      body: { name: 'disk-9' },
    })
    const sorted = async (sort_by: 'natural_name_ascending' | 'natural_name_descending') =>
      namesOf(await server.admin.call('project_search', { query: { sort_by, search: 'numbered' } }))
    const order = ['disk-1-b', 'disk-2', 'disk-02', 'disk-9', 'disk-10']
    expect(await sorted('natural_name_ascending')).toEqual(order)
    expect(await sorted('natural_name_descending')).toEqual(order.toReversed())
  })

  test('does not count beyond its limit', async () => {
    await storeRows(
      server.db,
      'instance',
      Array.from({ length: LIST_COUNT_MAX - 3 }, (_, index) => instanceRow(projectId, `n${index}`)),
    )
    expect((await search({ limit: 1 })).total).toBe(LIST_COUNT_MAX)
    await storeRows(server.db, 'instance', [instanceRow(projectId, 'one-more')])
    expect((await search({ limit: 1 })).total).toBeNull()
    expect((await search({ limit: 1, search: 'web' })).total).toBe(2)
  })

  test.each([
    ['state', 'running,dancing', 'unknown variant `dancing`, expected some of `creating`'],
    ['state', '', 'unknown variant ``, expected some of'],
    ['sort_by', 'hostname_ascending', 'unknown variant `hostname_ascending`, expected one of'],
    ['sort_by', 'id_ascending', 'unknown variant `id_ascending`'],
    ['search', 'a'.repeat(257), 'search may contain at most 256 characters'],
    ['search', 'a\0', 'null character in a string'],
  ])('refuses %s %j', async (parameter, value, reason) => {
    const { status, message } = await refused({ [parameter]: value })
    expect(status).toBe(400)
    expect(message.startsWith(`unable to parse query string: ${parameter}: ${reason}`)).toBe(true)
  })

  const token = (start: object) =>
    Buffer.from(JSON.stringify({ v: 'v1', page_start: { project: 'web', ...start } })).toString(
      'base64url',
    )
  const id = crypto.randomUUID()
  const at = { sort_by: 'ncpus_ascending', last_seen: '2', last_id: id }

  test('accepts tokens written by hand', async () => {
    expect((await search({ page_token: token(at) })).items).toEqual(expect.any(Array))
  })

  test.each([
    ['without an id', { ...at, last_id: undefined }, 'invalid page token'],
    ['with an id that is none', { ...at, last_id: 'x' }, 'invalid pagination marker'],
    ['after no number', { ...at, last_seen: 'two' }, 'invalid pagination marker'],
    ['after nothing', { ...at, last_seen: undefined }, 'invalid page token'],
    [
      'of a state there is not',
      { ...at, state: 'dancing' },
      'unable to parse query string: failed to parse pagination token: corrupted token',
    ],
  ])('refuses the token %s', async (_, start, message) => {
    expect(await refused({ page_token: token(start) })).toEqual({ status: 400, message })
  })

  test('continues after the longest search and description', async () => {
    const long = '\u20ac'.repeat(512)
    for (const name of ['p1', 'p2']) {
      await server.admin.call('project_create', { body: { name, description: long } })
    }
    const query = {
      search: '\u20ac'.repeat(256),
      sort_by: 'description_ascending',
      limit: 1,
    } as const
    const first = await server.admin.call('project_search', { query })
    const page_token = first.next_page!
    const second = await server.admin.call('project_search', { query: { page_token, limit: 1 } })
    expect([...namesOf(first), ...namesOf(second)].sort()).toEqual(['p1', 'p2'])
    expect(second.total).toBe(2)
  })
})

describe('a list of disks', () => {
  test('is filtered by state and type, and sorted by size', async () => {
    const states = diskStates.filter((state) => !state.startsWith('attach'))
    await storeRows(
      server.db,
      'disk',
      states.map((state, index) =>
        diskRow(projectId, `disk-${state.replaceAll('_', '-')}`, {
          state,
          size: (states.length - index) * 2 ** 30,
          disk_type: index % 2 ? 'local' : 'distributed',
          instance_id: state === 'detaching' ? crypto.randomUUID() : null,
        }),
      ),
    )
    const disks = async (query: Partial<Wire.Operations['disk_search']['query']>) =>
      (await server.admin.call('disk_search', { query: { project: 'web', ...query } })).items
    const bySize = await disks({ sort_by: 'size_ascending' })
    expect(bySize.map(({ state }) => state.state)).toEqual(states.toReversed())
    const local = await disks({ type: 'local' })
    expect(local.every(({ disk_type }) => disk_type === 'local')).toBe(true)
    expect(local).toHaveLength(Math.floor(states.length / 2))
    const two = await disks({ state: 'detached,faulted' })
    expect(two.map(({ name }) => name)).toEqual(['disk-detached', 'disk-faulted'])
  })
})

describe('a list of floating IPs', () => {
  const query = { project: 'web' }
  const list = async (more: Partial<Wire.Operations['floating_ip_search']['query']>) =>
    namesOf(await server.admin.call('floating_ip_search', { query: { ...query, ...more } }))
  let poolId: string

  beforeAll(async () => {
    poolId = (await server.admin.call('ip_pool_view', { params: { pool: 'default' } })).id
    const instance_id = crypto.randomUUID()
    await storeRows(server.db, 'external_ip', [
      floatingIpRow(projectId, poolId, 300, 'high'),
      floatingIpRow(projectId, poolId, 30, 'low', { instance_id }),
    ])
  })

  test('is sorted by address, and filtered by pool and attachment', async () => {
    expect(await list({ sort_by: 'ip_ascending' })).toEqual(['low', 'high'])
    expect(await list({ sort_by: 'ip_descending' })).toEqual(['high', 'low'])
    expect(await list({ attached: 'yes' })).toEqual(['low'])
    expect(await list({ attached: 'no', pool: 'default' })).toEqual(['high'])
    expect(await list({ pool: `other,${poolId.toUpperCase()}` })).toEqual(['high', 'low'])
    expect(await list({ pool: 'other' })).toEqual([])
    expect(await list({ search: '51.1.44' })).toEqual(['high'])
  })

  test.each([
    ['attached', 'perhaps', 'attached: unknown variant `perhaps`, expected some of `yes`, `no`'],
    ['pool', 'default,', 'pool: data did not match any variant of untagged enum NameOrId'],
  ])('refuses %s %j', async (parameter, value, reason) => {
    const wrong = { query: { ...query, [parameter]: value } as never }
    expect(await server.admin.refusal('floating_ip_search', wrong)).toMatchObject({
      status: 400,
      message: `unable to parse query string: ${reason}`,
    })
  })
})

test('instances are listed with their addresses', async () => {
  await server.admin.call('project_create', { body: { name: 'reached', description: '' } })
  const query = { project: 'reached' }
  for (const [name, external_ips] of [
    ['nowhere', []],
    ['here', [{ type: 'ephemeral' }]],
    ['there', [{ type: 'ephemeral' }]],
  ] as const) {
    await server.admin.call('instance_create', {
      query,
      body: smallInstance(name, { external_ips }),
    })
  }
  const { items } = await server.admin.call('instance_search', { query })
  expect(namesOf({ items })).toEqual(['here', 'nowhere', 'there'])
  for (const { id, external_ips } of items) {
    const { items: asked } = await server.admin.call('instance_external_ip_list', {
      params: { instance: id },
    })
    expect(external_ips).toEqual(asked)
  }
  expect(items.some(({ external_ips }) => external_ips.some((ip) => ip.kind === 'ephemeral'))).toBe(
    true,
  )
})

test('instances are listed with their private addresses, and the image of their boot disk', async () => {
  await server.admin.call('project_create', { body: { name: 'private', description: '' } })
  const query = { project: 'private' }
  await importedDisk(server.admin, 'private', 'seed', randomBytes(1024), 'seed')
  const snapshot = await server.admin.call('snapshot_view', { params: { snapshot: 'seed' }, query })
  const image = await server.admin.call('image_create', {
    query,
    body: {
      name: 'debian',
      description: '',
      os: 'debian',
      version: '12',
      source: { type: 'snapshot', id: snapshot.id },
    },
  })
  await server.admin.call('instance_create', {
    query,
    body: smallInstance('both', {
      network_interfaces: { type: 'default_dual_stack' },
      boot_disk: {
        type: 'create',
        name: 'both',
        description: '',
        size: GiB,
        disk_backend: { type: 'distributed', disk_source: { type: 'image', image_id: image.id } },
      },
    }),
  })
  await server.admin.call('instance_create', {
    query,
    body: smallInstance('neither', { network_interfaces: { type: 'none' } }),
  })
  const { items: interfaces } = await server.admin.call('instance_network_interface_list', {
    query: { ...query, instance: 'both' },
  })
  const listed = async () => (await server.admin.call('instance_search', { query })).items
  const { v4, v6 } = (interfaces[0]!.ip_stack as { value: Record<'v4' | 'v6', { ip: string }> })
    .value
  expect(await listed()).toMatchObject([
    { name: 'both', private_ips: [v4.ip, v6.ip], image_id: image.id },
    { name: 'neither', private_ips: [], image_id: null },
  ])
})

test('groups are listed with the number of their members', async () => {
  const query = { project: 'other' }
  for (const name of ['full', 'none']) {
    await server.admin.call('anti_affinity_group_create', { query, body: affinityBody(name) })
  }
  for (const instance of ['one', 'two']) {
    await stoppedInstance(server.admin, query, instance)
    await server.admin.call('anti_affinity_group_member_instance_add', {
      params: { anti_affinity_group: 'full', instance },
      query,
    })
  }
  const { items } = await server.admin.call('anti_affinity_group_search', { query })
  expect(items.map(({ name, member_count }) => [name, member_count])).toEqual([
    ['full', 2],
    ['none', 0],
  ])
})

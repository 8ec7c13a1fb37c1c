/** Control plane specification 1.4: lists in pages. */
import { type Operation, type OperationId, operationTable, type Scan } from '@steading/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addReceiver, alertRuleBody } from '../support/alerts.ts'
import { scheduleBody } from '../support/schedules.ts'
import { templateBody } from '../support/templates.ts'
import { blankDisk, affinityBody, smallInstance, sshKeyBody } from '../support/things.ts'
import type { Caller } from '../support/caller.ts'
import { plan } from '../support/jobs.ts'
import { addPool } from '../support/networks.ts'
import { named } from '../../src/kernel/search/name-key.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { createLot, freePort, freshNetwork } from '../support/uplinks.ts'

let server: TestServer
let caller: Caller
/** In byte order: the hyphen before digits before letters. */
const names = ['a', 'a-b', 'a1', 'aa', 'b', 'z9']

beforeAll(async () => {
  server = await startTestServer({ multicast: true })
  caller = (await server.createUser('reader', { fleet: 'viewer', silo: 'admin' })).caller
  await server.admin.call('project_create', { body: { name: 'web', description: '' } })
  for (const name of names.toReversed()) await createKey(name)
})
afterAll(() => server.close())

const createKey = (name: string) =>
  caller.call('current_user_ssh_key_create', { body: sshKeyBody(name) })

type Query = Record<string, string | number>
const page = (query: Query = {}) => caller.call('current_user_ssh_key_list', { query })
const refused = (query: Query) => caller.refusal('current_user_ssh_key_list', { query })

/** All pages, one after the other, until there is no token. */
async function walk(query: Query, limit: number): Promise<string[][]> {
  const pages: string[][] = []
  let { items, next_page } = await page({ ...query, limit })
  for (;;) {
    pages.push(items.map(({ name }) => name))
    if (!next_page) return pages
    ;({ items, next_page } = await page({ page_token: next_page, limit }))
  }
}

const decode = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token, 'base64url').toString()) as Record<string, unknown>
const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
    .toString('base64')
    .replaceAll('+', '-')
    .replaceAll('/', '_')
const token = (page_start: object, v: unknown = 'v1') => encode({ v, page_start })

describe('pages', () => {
  test.each([1, 2, 4, 6, 100])('of %d items have everything once, in order', async (limit) => {
    const pages = await walk({}, limit)
    expect(pages.flat()).toEqual(names)
    // A page with items always has a token; the empty one ends the loop.
    expect(pages.at(-1)).toEqual([])
    expect(pages.slice(0, -1).every(({ length }) => length > 0 && length <= limit)).toBe(true)
  })

  test('can be in descending order', async () => {
    expect((await walk({ sort_by: 'name_descending' }, 4)).flat()).toEqual(names.toReversed())
  })

  test('can be sorted by id', async () => {
    const all = await page({ sort_by: 'id_ascending' })
    const ids = all.items.map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted())
    expect((await walk({ sort_by: 'id_ascending' }, 1)).flat()).toEqual(
      all.items.map(({ name }) => name),
    )
  })

  test('continue where they were, after rows were added and deleted', async () => {
    const first = await page({ limit: 3 })
    expect(first.items.map(({ name }) => name)).toEqual(['a', 'a-b', 'a1'])
    await caller.call('current_user_ssh_key_delete', { params: { ssh_key: 'a1' } })
    await createKey('a0')
    await createKey('ab')
    const second = await page({ page_token: first.next_page!, limit: 3 })
    expect(second.items.map(({ name }) => name)).toEqual(['aa', 'ab', 'b'])
    await caller.call('current_user_ssh_key_delete', { params: { ssh_key: 'ab' } })
    await caller.call('current_user_ssh_key_delete', { params: { ssh_key: 'a0' } })
    await createKey('a1')
  })

  test('are empty, without a token, if there is nothing', async () => {
    const { caller: newcomer } = await server.createUser('newcomer')
    const { items, next_page } = await newcomer.call('current_user_ssh_key_list')
    expect(items).toEqual([])
    expect(next_page ?? null).toBeNull()
  })
})

describe('tokens', () => {
  test('are URL-safe base64 of the specified content', async () => {
    const { next_page } = await page({ limit: 2, sort_by: 'name_descending' })
    expect(next_page).toMatch(/^[A-Za-z0-9_-]+=*$/)
    expect(next_page!.length % 4).toBe(0)
    expect(decode(next_page!)).toEqual({
      v: 'v1',
      page_start: { sort_by: 'name_descending', last_seen: 'b' },
    })
  })

  test('contain filters and selectors', async () => {
    const { id } = await server.admin.call('project_view', { params: { project: 'web' } })
    const { next_page } = await server.admin.call('vpc_list', { query: { project: 'web' } })
    expect(decode(next_page!)).toMatchObject({ page_start: { project: 'web' } })
    const rest = await server.admin.call('vpc_list', { query: { page_token: next_page! } })
    expect(rest.items).toEqual([])
    const byId = await server.admin.call('vpc_list', { query: { project: id } })
    expect(decode(byId.next_page!)).toMatchObject({ page_start: { project: id } })
  })

  test('fit their limit with the longest names', async () => {
    const project = 'p'.repeat(63)
    await server.admin.call('project_create', { body: { name: project, description: '' } })
    const { next_page } = await server.admin.call('vpc_subnet_list', {
      query: { project, vpc: 'default', sort_by: 'name_descending' },
    })
    expect(next_page!.length).toBeLessThanOrEqual(512)
  })

  test('override all other parameters, valid or not', async () => {
    const { next_page } = await page({ limit: 2 })
    const rest = { items: names.slice(2, 4) }
    for (const ignored of ['name_descending', 'nonsense']) {
      const { items } = await page({ page_token: next_page!, limit: 2, sort_by: ignored })
      expect({ items: items.map(({ name }) => name) }).toEqual(rest)
    }
  })

  const scan = { sort_by: 'name_ascending', last_seen: 'a' }
  const failure = 'unable to parse query string: failed to parse pagination token: '

  test('may be written by hand', async () => {
    const { items } = await page({ page_token: token(scan) })
    expect(items.map(({ name }) => name)).toEqual(names.slice(1))
  })

  test('that are too long are refused', async () => {
    expect(await refused({ page_token: 'A'.repeat(513) })).toEqual({
      status: 400,
      message: `${failure}too large`,
    })
  })

  test.each([
    ['not base64', '!!!!'],
    ['not UTF-8', Buffer.from([0xff, 0xfe]).toString('base64url')],
    ['not JSON', encode('{')],
    ['not an object', encode('null')],
    ['a list', encode('[]')],
    ['without a version', encode({ page_start: scan })],
    ['without a start', encode({ v: 'v1' })],
    ['with a start that is none', encode({ v: 'v1', page_start: 'a' })],
    ['with a sort there is not', token({ ...scan, sort_by: 'size' })],
    ['with a sort that is no word', token({ ...scan, sort_by: { a: 1 } })],
  ])('%s are refused', async (_, page_token) => {
    expect(await refused({ page_token })).toEqual({
      status: 400,
      message: `${failure}corrupted token`,
    })
  })

  test('of another version are refused', async () => {
    const { status, message } = await refused({ page_token: token(scan, 'v2') })
    expect(status).toBe(400)
    expect(message.startsWith(`${failure}unsupported version: `)).toBe(true)
  })

  test.each([
    ['a number', { ...scan, last_seen: 7 }],
    ['nothing', { sort_by: 'name_ascending' }],
    ['a name, sorted by id', { sort_by: 'id_ascending', last_seen: 'a' }],
    ['what no database holds', { ...scan, last_seen: 'a\0' }],
    ['half a character', { ...scan, last_seen: '\ud800' }],
  ])('that continue after %s are refused', async (_, start) => {
    const { status, message } = await refused({ page_token: token(start) })
    expect(status).toBe(400)
    expect(message).toMatch(/^invalid (page token|pagination marker)$/)
  })

  test('of a list with other requirements are refused', async () => {
    const { next_page } = await page({ limit: 1 })
    expect(await server.admin.refusal('vpc_list', { query: { page_token: next_page! } })).toEqual({
      status: 400,
      message: `${failure}corrupted token`,
    })
  })
})

describe('limits', () => {
  test('are a hundred by default, and ten thousand at most', async () => {
    const { id, caller: collector } = await server.createUser('collector')
    const time = new Date().toISOString()
    const keys = Array.from({ length: 10_001 }, (_, index) => ({
      id: crypto.randomUUID(),
      silo_user_id: id,
      ...named(`k${String(index).padStart(5, '0')}`),
      description: '',
      public_key: '',
      time_created: time,
      time_modified: time,
      time_deleted: null,
    }))
    for (let start = 0; start < keys.length; start += 2_500) {
      await server.db
        .insertInto('ssh_key')
        .values(keys.slice(start, start + 2_500))
        .execute()
    }
    const count = async (query: Query) =>
      (await collector.call('current_user_ssh_key_list', { query })).items.length
    expect(await count({})).toBe(100)
    expect(await count({ limit: 101 })).toBe(101)
    expect(await count({ limit: 4_294_967_295 })).toBe(10_000)
  })

  test.each([
    ['0', 'invalid value: integer `0`, expected a nonzero u32'],
    ['-1', 'invalid digit found in string'],
    ['ten', 'invalid digit found in string'],
    ['1.5', 'invalid digit found in string'],
  ])('refuse %s', async (limit, reason) => {
    expect(await refused({ limit })).toEqual({
      status: 400,
      message: `unable to parse query string: limit: ${reason}`,
    })
  })

  test('apply in addition to a token', async () => {
    const { next_page } = await page({ limit: 1 })
    expect((await page({ page_token: next_page!, limit: 2 })).items).toHaveLength(2)
    expect(await refused({ page_token: next_page!, limit: 0 })).toMatchObject({ status: 400 })
  })
})

describe('every list', () => {
  const lists = (Object.entries(operationTable) as [OperationId, Operation][]).filter(
    // One of them answers with a plain list, which has no token.
    ([id, { scan }]) => scan && id !== 'networking_bgp_announce_set_list',
  )
  /** Existing parents, for the lists that need one. */
  const selectors: Query = {
    project: 'web',
    vpc: 'default',
    instance: 'box',
    affinity_group: 'cluster',
    alert_rule: 'default',
    anti_affinity_group: 'cluster',
    start_time: '2026-01-01T00:00:00Z',
    end_time: '2100-01-01T00:00:00Z',
    metric_name: 'cpus_provisioned',
    metric: 'read',
    disk: 'sacks',
    kind: 'instance',
    silo: 'main',
    pool: 'default',
    subnet: 'default',
    router: 'system',
    gateway: 'default',
    multicast_group: 'news',
    address_lot: 'default',
  }
  /** The parents for looking up a name, from the inside out. */
  const within = { subnet: 'vpc', router: 'vpc', gateway: 'vpc', vpc: 'project' }
  const nameOrId = ['name_ascending', 'name_descending', 'id_ascending']
  const modesOf = ({ sort, modes }: Scan): readonly string[] =>
    ({
      name_or_id: nameOrId,
      id: ['id_ascending'],
      name: ['name_ascending'],
      time_and_id: ['time_and_id_ascending', 'time_and_id_descending'],
      version: ['version_descending', 'version_ascending'],
      column: modes,
      none: [],
    })[sort]

  beforeAll(async () => {
    const { id } = await server.admin.call('instance_create', {
      query: { project: 'web' },
      body: smallInstance('box'),
    })
    await server.admin.call('disk_create', { query: { project: 'web' }, body: blankDisk('sacks') })
    selectors.id = id
    selectors.action = 'read'
    selectors.user_id = (await server.admin.call('current_user_view')).id
    for (const kind of ['affinity_group', 'anti_affinity_group'] as const) {
      await server.admin.call(`${kind}_create`, {
        query: { project: 'web' },
        body: affinityBody('cluster'),
      })
    }
    await server.admin.call('system_subnet_pool_create', {
      body: { name: 'default', description: '', ip_version: 'v4' },
    })
    await createLot(server.admin, freshNetwork(), 'default')
    const { items: sleds } = await server.admin.call('sled_list')
    selectors.sled_id = sleds[0]!.id
    const port = await freePort(server.admin)
    selectors.rack_id = port.rack_id
    selectors.switch_slot = port.switch_slot
    selectors.port = port.port_name
    const { db, siloId } = server
    const range = { first: '239.1.0.0', last: '239.1.0.9' }
    await addPool(db, 'casts', { pool_type: 'multicast', siloId, ...range })
    await server.admin.call('instance_multicast_group_join', {
      params: { instance: id, multicast_group: 'news' },
      body: {},
    })
    const rule = alertRuleBody({ name: 'default', description: '' })
    await server.admin.call('system_alert_rule_create', { body: rule })
    const inProject = { query: { project: 'web' }, body: rule }
    await server.admin.call('alert_rule_create', inProject)
    const nightly = scheduleBody({ name: 'default', disks: ['sacks'] })
    await server.admin.call('schedule_create', { query: { project: 'web' }, body: nightly })
    selectors.schedule = 'default'
    await server.admin.call('instance_template_create', {
      query: { project: 'web' },
      body: templateBody('default'),
    })
    selectors.instance_template = 'default'
    selectors.receiver = (await addReceiver(server, 'default')).id
    const target = { type: 'matching', query: {} } as const
    const job = await plan(server.admin, 'delete', 'instance', target, 'web')
    selectors.job = job.id
    const body = { name: 'robot', description: '' }
    const account = await server.admin.call('service_account_create', { body })
    selectors.service_account = account.id
  })

  const urlOf = ({ path, query = {}, scan }: Operation, extra: Query = {}): string => {
    const url = new URL(
      path.replace(/\{(\w+)\}/g, (_, name: string) => String(selectors[name])),
      'http://x',
    )
    const wanted = new Set([...scan!.required, ...(path.includes('{') ? ['project'] : [])])
    for (const [name, parent] of Object.entries(within)) {
      if (wanted.has(name) || path.includes(`{${name}}`)) wanted.add(parent)
    }
    if (['instance', 'kind'].some((name) => wanted.has(name))) wanted.add('project')
    for (const name of wanted)
      if (name in query) url.searchParams.set(name, String(selectors[name]))
    for (const [name, value] of Object.entries(extra)) url.searchParams.set(name, String(value))
    return url.pathname + url.search
  }

  test.each(lists)('%s accepts its sort modes and no others', async (_, operation) => {
    const modes = modesOf(operation.scan!)
    for (const sort_by of modes) {
      const { status } = await server.admin.send('GET', urlOf(operation, { sort_by, limit: 1 }))
      expect(`${sort_by} ${status}`).toBe(`${sort_by} 200`)
    }
    // A list without sort modes ignores the parameter like any unknown one.
    const others = modes.length === 0 ? [] : [...nameOrId, 'time_and_id_ascending', 'sideways']
    for (const sort_by of others.filter((mode) => !modes.includes(mode))) {
      const { status, message } = await server.admin.refused('GET', urlOf(operation, { sort_by }))
      expect(status).toBe(400)
      expect(message).toMatch(/^unable to parse query string: sort_by: unknown variant /)
    }
  })

  test.each(lists)('%s continues from its own token', async (_, operation) => {
    const { body } = await server.admin.send('GET', urlOf(operation, { limit: 1 }))
    const { items, next_page } = body as { items: { id: string }[]; next_page: string | null }
    expect(items.length > 0).toBe(Boolean(next_page))
    if (!next_page) return
    // The token replaces the whole query; only the path is repeated.
    const { pathname } = new URL(urlOf(operation), 'http://x')
    const next = await server.admin.send(
      'GET',
      `${pathname}?${new URLSearchParams({ page_token: next_page })}`,
    )
    expect((next.body as typeof body & { items: { id: string }[] }).items).not.toContainEqual(
      items[0],
    )
  })

  test.each(lists.filter(([, { scan }]) => scan!.required.length > 0))(
    '%s says what it needs',
    async (_, { path, scan }) => {
      const named = path.replace(/\{(\w+)\}/g, (_whole, name: string) => String(selectors[name]))
      expect(await server.admin.refused('GET', named)).toEqual({
        status: 400,
        message: `unable to parse query string: missing field \`${scan!.required[0]}\``,
      })
    },
  )
})

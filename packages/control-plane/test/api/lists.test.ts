/** Lists at scale: `/x/v1` searches, filters and sorts what the lists of `/v1` hold. */
import { operationTable, type Wire } from '@steading/api'
import { diskStates, instanceStates, LIST_COUNT_MAX } from '@steading/api/rules'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { instanceRow, storeInstances } from '../support/many.ts'

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

/** All items, page by page, by nothing but the tokens. */
async function walk(query: Query, limit: number): Promise<{ names: string[]; totals: unknown[] }> {
  const names: string[] = []
  const totals: unknown[] = []
  let page = await search({ ...query, limit })
  for (;;) {
    names.push(...namesOf(page))
    totals.push(page.total)
    expect(page.items.length).toBeLessThanOrEqual(limit)
    expect(page.items.length > 0).toBe(Boolean(page.next_page))
    if (!page.next_page) return { names, totals }
    const rest = { page_token: page.next_page, limit }
    page = await server.admin.call('instance_search', { query: rest })
  }
}

const clear = () => server.db.deleteFrom('instance').where('project_id', '=', projectId).execute()

describe('any sort and filter, walked in pages of any size', () => {
  beforeEach(clear)

  const times = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z']
  const words = ['', 'web', 'Web', '100%', 'a_b', '\\', 'ä']
  /** Few values, so that many rows share them. */
  const row = fc.record({
    description: fc.constantFrom(...words),
    run_state: fc.constantFrom(...instanceStates),
    time_run_state_updated: fc.constantFrom(...times),
    time_created: fc.constantFrom(...times),
    ncpus: fc.constantFrom(1, 2, 10),
    memory: fc.constantFrom(2 ** 30, 2 ** 31, 2 ** 40),
    time_last_auto_restarted: fc.constantFrom(null, ...times),
  })
  const columnOf = {
    name: 'name',
    state: 'run_state',
    time_run_state_updated: 'time_run_state_updated',
    ncpus: 'ncpus',
    memory: 'memory',
    time_created: 'time_created',
    time_last_auto_restarted: 'time_last_auto_restarted',
  } as const
  const sort = fc.record({
    by: fc.constantFrom(...(Object.keys(columnOf) as (keyof typeof columnOf)[])),
    direction: fc.constantFrom('ascending' as const, 'descending' as const),
  })
  const filter = fc.record(
    {
      state: fc.subarray([...instanceStates], { minLength: 1 }),
      search: fc.constantFrom(...words, 'WEB', '-1', '%', '_'),
    },
    { requiredKeys: [] },
  )
  const lower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  const compare = (a: unknown, b: unknown) => (a === b ? 0 : (a ?? '')! < (b ?? '')! ? -1 : 1)

  test('hold what sorting and filtering in memory gives, each row once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 12 }),
        fc.array(fc.tuple(sort, filter, fc.integer({ min: 1, max: 13 })), {
          minLength: 1,
          maxLength: 4,
        }),
        async (values, asks) => {
          await clear()
          const rows = values.map((some, index) =>
            instanceRow(projectId, `i${index}-${values.length - index}`, some),
          )
          await storeInstances(server.db, rows)
          for (const [{ by, direction }, { state, search: text }, limit] of asks) {
            const sign = direction === 'ascending' ? 1 : -1
            const wanted = rows
              .filter(
                (each) =>
                  (!state || state.includes(each.run_state)) &&
                  (!text ||
                    [each.name, each.description].some((some) =>
                      lower(some).includes(lower(text)),
                    )),
              )
              .sort(
                (a, b) => sign * (compare(a[columnOf[by]], b[columnOf[by]]) || compare(a.id, b.id)),
              )
            const query = {
              sort_by: `${by}_${direction}` as const,
              search: text,
              state: state?.join(),
            }
            const { names, totals } = await walk(query, limit)
            expect(names).toEqual(wanted.map(({ name }) => name))
            expect(new Set(totals)).toEqual(new Set([wanted.length]))
          }
        },
      ),
      { numRuns: 25 },
    )
  })
})

describe('a list of instances', () => {
  beforeAll(async () => {
    await clear()
    await storeInstances(server.db, [
      instanceRow(projectId, 'web-1', { run_state: 'running', description: 'Front of the shop' }),
      instanceRow(projectId, 'web-2', { run_state: 'stopped' }),
      instanceRow(projectId, 'db', { run_state: 'running' }),
      instanceRow(projectId, 'gone', { time_deleted: new Date().toISOString() }),
    ])
  })

  test('holds what the plain list holds', async () => {
    const plain = await server.admin.call('instance_list', { query: { project: 'web' } })
    const { items, total } = await search()
    expect(items).toEqual(plain.items)
    expect(total).toBe(3)
    expect((await search({ project: 'other' })).total).toBe(0)
  })

  test('is searched in names and descriptions, whatever the case', async () => {
    expect(namesOf(await search({ search: 'WEB' }))).toEqual(['web-1', 'web-2'])
    expect(namesOf(await search({ search: 'front of' }))).toEqual(['web-1'])
    expect(namesOf(await search({ search: '' }))).toHaveLength(3)
    expect(await search({ search: 'nobody' })).toEqual({ items: [], next_page: null, total: 0 })
  })

  test('is filtered by states', async () => {
    expect(namesOf(await search({ state: 'running' }))).toEqual(['db', 'web-1'])
    expect(namesOf(await search({ state: 'running,stopped', search: 'web' }))).toHaveLength(2)
  })

  test('does not count beyond what anybody wants to know', async () => {
    await storeInstances(
      server.db,
      Array.from({ length: LIST_COUNT_MAX - 3 }, (_, index) => instanceRow(projectId, `n${index}`)),
    )
    expect((await search({ limit: 1 })).total).toBe(LIST_COUNT_MAX)
    await storeInstances(server.db, [instanceRow(projectId, 'one-more')])
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
  ])('takes no %s %j', async (parameter, value, reason) => {
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

  test('has tokens that can be written by hand', async () => {
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
  ])('takes no token %s', async (_, start, message) => {
    expect(await refused({ page_token: token(start) })).toEqual({ status: 400, message })
  })

  test('goes on after the longest search and description', async () => {
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
    const time = new Date().toISOString()
    const states = diskStates.filter((state) => !state.startsWith('attach'))
    await server.db
      .insertInto('disk')
      .values(
        states.map((state, index) => ({
          id: crypto.randomUUID(),
          name: `disk-${state.replaceAll('_', '-')}`,
          description: '',
          time_created: time,
          time_modified: time,
          time_deleted: null,
          project_id: projectId,
          size: (states.length - index) * 2 ** 30,
          block_size: 512 as const,
          disk_type: index % 2 ? ('local' as const) : ('distributed' as const),
          read_only: 0 as const,
          snapshot_id: null,
          image_id: null,
          state,
          instance_id: state === 'detaching' ? crypto.randomUUID() : null,
          slot: null,
          importing: 0 as const,
          has_volume: 0 as const,
          generation: 1,
          reconcile_at: null,
        })),
      )
      .execute()
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

test('every sort of every list is served by an index', async () => {
  const tables = { instance_search: 'instance', disk_search: 'disk', project_search: 'project' }
  for (const [id, table] of Object.entries(tables)) {
    const { modes } = operationTable[id as keyof typeof tables].scan!
    const indexes = await indexesOf(table)
    for (const mode of modes.filter((some) => some.endsWith('_ascending'))) {
      const column = mode.replace('_ascending', '')
      const stored = { state: table === 'disk' ? 'state' : 'run_state', type: 'disk_type' }[column]
      const pattern = new RegExp(
        `\\((?:project|silo)_id, (?:coalesce\\()?${stored ?? column}\\b`,
        'i',
      )
      expect(
        indexes.filter((text) => pattern.test(text)),
        mode,
      ).not.toEqual([])
    }
  }
})

async function indexesOf(table: string): Promise<string[]> {
  const { rows } = await (
    inject('dialect') === 'sqlite'
      ? sql<{ text: string }>`select sql as text from sqlite_master
          where type = 'index' and tbl_name = ${table} and sql is not null`
      : sql<{ text: string }>`select indexdef as text from pg_indexes where tablename = ${table}`
  ).execute(server.db)
  return rows.map(({ text }) => text)
}

/** Lists that are grouped by the values of a tag, compared with the test's own order of all rows. */
import type { Wire } from '@steading/api'
import { diskStates, LIST_COUNT_MAX, parseTag } from '@steading/api/rules'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { diskRow, projectRow, storeRows } from '../support/many.ts'
import { long } from '../support/long.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

type DiskRow = ReturnType<typeof diskRow>
interface Tagged {
  row: DiskRow
  tags: string[]
}

/** A project with disks and their tags. */
async function fill(name: string, disks: (projectId: string) => Tagged[]): Promise<Tagged[]> {
  const project = projectRow(server.siloId, name)
  await storeRows(server.db, 'project', [project])
  const all = disks(project.id)
  await storeRows(
    server.db,
    'disk',
    all.map(({ row }) => row),
  )
  const place = { kind: 'disk' as const, parent_id: project.id, project_id: project.id }
  const tags = all.flatMap(({ row, tags }) =>
    tags.map((tag) => ({
      thing_id: row.id,
      ...place,
      silo_id: server.siloId,
      ...parseTag(tag),
    })),
  )
  await storeRows(server.db, 'tag', tags)
  return all
}

type Query = Record<string, string | number | undefined>

/** All pages of a grouped list. Groups that go on from page to page are put together. */
async function walk(query: Query, caller: Caller = server.admin) {
  const names: string[] = []
  const groups: Wire.TagGroup[] = []
  const totals = new Set<number | null>()
  let page_token: string | undefined
  for (;;) {
    const page = await caller.call('disk_search', {
      query: (page_token ? { page_token, limit: query.limit } : query) as never,
    })
    names.push(...page.items.map(({ name }) => name))
    expect(page.groups!.reduce((sum, { items }) => sum + items, 0)).toBe(page.items.length)
    for (const group of page.groups!) {
      const last = groups.at(-1)
      if (last?.value !== group.value) groups.push({ ...group })
      else {
        expect(group.count).toBe(last.count)
        last.items += group.items
      }
    }
    totals.add(page.total)
    page_token = page.next_page ?? undefined
    if (!page_token || page.items.length === 0) return { names, groups, totals: [...totals] }
  }
}

const bytes = (text: string) => Buffer.from(text)
const valueOf = ({ tags }: Tagged, key: string): string | null => {
  const tag = tags.find((each) => parseTag(each).key === key)
  return tag === undefined ? null : parseTag(tag).value
}

/** The wanted pages: by value, rows without the tag last, and within a group as compared. */
function wantedOf(rows: Tagged[], key: string, compare: (a: DiskRow, b: DiskRow) => number) {
  const sorted = rows.toSorted((a, b) => {
    const [left, right] = [valueOf(a, key), valueOf(b, key)]
    if (left === right) return compare(a.row, b.row)
    if (left === null || right === null) return left === null ? 1 : -1
    return Buffer.compare(bytes(left), bytes(right))
  })
  const groups: Wire.TagGroup[] = []
  for (const row of sorted) {
    const value = valueOf(row, key)
    const last = groups.at(-1)
    if (last && last.value === value) {
      last.items++
      last.count!++
    } else groups.push({ value, count: 1, items: 1 })
  }
  return { names: sorted.map(({ row }) => row.name), groups }
}

const byName = (a: DiskRow, b: DiskRow) => Buffer.compare(bytes(a.name), bytes(b.name))

test('rows are in the order of the values, then of the sort, and rows without the tag are last', async () => {
  const values = ['', 'prod', 'Prod', 'PROD', 'dev', '9', '10', 'ä', '\u{20000}', '\uff41', 'a b']
  const tag = fc.option(fc.constantFrom(...values), { nil: undefined, freq: 4 })
  const state = fc.constantFrom(...(['detached', 'faulted'] as const))
  const disk = fc.tuple(tag, state, fc.constantFrom(2 ** 30, 2 ** 31), fc.boolean())
  const ask = fc.record({
    sort: fc.constantFrom('name', 'size'),
    descending: fc.boolean(),
    state: fc.option(state, { nil: undefined }),
    search: fc.option(fc.constantFrom('d1', 'web', 'nothing'), { nil: undefined }),
    other: fc.boolean(),
    limit: fc.integer({ min: 1, max: 30 }),
  })
  let run = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(disk, { maxLength: 40 }),
      fc.array(ask, { minLength: 1, maxLength: 4 }),
      async (disks, asks) => {
        const project = `world-${run++}`
        const all = await fill(project, (id) =>
          disks.map(([value, state, size, other], index) => ({
            row: diskRow(id, `d${index}`, {
              state,
              size,
              description: index % 3 ? '' : 'for the Web',
            }),
            tags: [
              ...(value === undefined ? [] : [value === '' ? 'env' : `env:${value}`]),
              ...(other ? ['team:web'] : []),
            ],
          })),
        )
        for (const { sort, descending, state, search, other, limit } of asks) {
          const matching = all.filter(
            ({ row, tags }) =>
              (state === undefined || row.state === state) &&
              (!other || tags.includes('team:web')) &&
              (search === undefined ||
                row.name.includes(search) ||
                row.description.toLowerCase().includes(search)),
          )
          const sign = descending ? -1 : 1
          const { names, groups } = wantedOf(matching, 'env', (a, b) => {
            const bySize = sort === 'size' ? a.size - b.size : 0
            const byKey = sort === 'size' ? Number(a.id > b.id) - Number(a.id < b.id) : byName(a, b)
            return sign * (bySize || byKey)
          })
          const query = {
            project,
            group_by: 'env',
            sort_by: `${sort}_${descending ? 'descending' : 'ascending'}`,
            state,
            search,
            tag: other ? 'team' : undefined,
            limit,
          }
          expect(await walk(query)).toEqual({ names, groups, totals: [matching.length] })
        }
      },
    ),
    { numRuns: long ? 15 : 5 },
  )
})

describe('of many rows', () => {
  /** More than are counted: a third in one group, some without the tag, and a thousand values. */
  const COUNT = 3 * LIST_COUNT_MAX + 3
  beforeAll(async () => {
    await fill('many', (id) =>
      Array.from({ length: COUNT }, (_, index) => ({
        row: diskRow(id, `d-${String(index).padStart(5, '0')}`),
        tags: [
          ...(index < COUNT - 5 ? [index % 3 ? 'env:prod' : 'env:dev'] : []),
          ...(index % 30 ? [] : [`rack:r${index / 30}`]),
        ],
      })),
    )
  })

  test('groups are counted up to the limit of lists, and pages go on where they ended', async () => {
    const query = { project: 'many', group_by: 'env', limit: 3 }
    const first = await server.admin.call('disk_search', { query })
    expect(first.total).toBeNull()
    expect(first.groups).toEqual([{ value: 'dev', count: LIST_COUNT_MAX, items: 3 }])
    expect(first.items.map(({ name }) => name)).toEqual(['d-00000', 'd-00003', 'd-00006'])
    const last = `d-${String(3 * (LIST_COUNT_MAX - 1)).padStart(5, '0')}`
    const { items } = await server.admin.call('disk_search', {
      query: { project: 'many', search: last },
    })
    // The position of the last row of the first group.
    const token = (values: object) =>
      Buffer.from(
        JSON.stringify({
          v: 'v1',
          page_start: { project: 'many', group_by: 'env', sort_by: 'name_ascending', ...values },
        }),
      ).toString('base64url')
    const at = { last_seen: last, last_id: items[0]!.id }
    const next = (values: object) =>
      server.admin.call('disk_search', { query: { page_token: token(values), limit: 2 } })
    const second = await next({ ...at, last_group: 'dev' })
    expect(second.groups).toEqual([{ value: 'prod', count: null, items: 2 }])
    // A group that has gone meanwhile.
    expect((await next({ ...at, last_group: 'elder' })).groups![0]!.value).toBe('prod')
    const end = await next({ ...at, last_group: null })
    expect(end.groups).toEqual([{ value: null, count: 5, items: 2 }])
  })

  test('a thousand values follow each other, and a search finds the few groups with matches', async () => {
    const racks = await walk({ project: 'many', group_by: 'rack', tag: 'rack', limit: 400 })
    expect(racks.groups).toHaveLength(Math.ceil(COUNT / 30))
    expect(racks.groups.map(({ value }) => value)).toEqual(
      racks.groups.map(({ value }) => value!).toSorted((a, b) => (a < b ? -1 : 1)),
    )
    const found = await walk({ project: 'many', group_by: 'rack', search: 'd-0003', limit: 50 })
    expect(found.groups).toEqual([
      { value: 'r1', count: 1, items: 1 },
      { value: null, count: 9, items: 9 },
    ])
  })
})

describe('refused are', () => {
  const refused = async (query: object) =>
    server.admin.refusal('disk_search', { query: { project: 'refusing', ...query } as never })
  beforeAll(() => fill('refusing', (id) => [{ row: diskRow(id, 'd'), tags: ['env:prod'] }]))

  test.each(['', 'env:prod', 'a b', '-', 'x'.repeat(64), '\0'])('%j as a key', async (group_by) => {
    expect(await refused({ group_by })).toMatchObject({ status: 400 })
  })

  test.each([
    ['no group in a list with groups', { last_group: undefined }],
    ['a number as a group', { last_group: 7 }],
    ['half of a character as a group', { last_group: '\ud800' }],
  ])('tokens with %s', async (_, values) => {
    const start = {
      project: 'refusing',
      group_by: 'env',
      sort_by: 'name_ascending',
      last_seen: 'd',
      last_id: crypto.randomUUID(),
    }
    const text = JSON.stringify({ v: 'v1', page_start: { ...start, ...values } })
    const page_token = Buffer.from(text).toString('base64url')
    expect(await refused({ page_token, project: undefined })).toMatchObject({ status: 400 })
  })
})

test('roles that end between two pages end the list, and keys are those of readable resources', async () => {
  const [{ row }] = (await fill('guarded', (id) =>
    Array.from({ length: 3 }, (_, index) => ({
      row: diskRow(id, `d${index}`, { state: diskStates[0] && 'detached' }),
      tags: ['secret:x', `n${index}`],
    })),
  )) as [Tagged]
  const { project_id } = row
  const { id, caller } = await server.createUser('reader', { projects: { [project_id]: 'viewer' } })
  const query = { project: 'guarded', group_by: 'secret', limit: 2 }
  const { next_page } = await caller.call('disk_search', { query })
  const keys = (query: object) => caller.call('tag_key_list', { query })
  expect(await keys({ project: 'guarded' })).toEqual({
    keys: ['n0', 'n1', 'n2', 'secret'],
    more: false,
  })
  expect(await keys({ project: 'guarded', search: 'n', limit: 2 })).toEqual({
    keys: ['n0', 'n1'],
    more: true,
  })
  expect((await keys({ search: 'sec' })).keys).toEqual(['secret'])
  await server.admin.call('project_policy_update', {
    params: { project: 'guarded' },
    body: { role_assignments: [] },
  })
  const again = { query: { page_token: next_page!, limit: 2 } }
  expect(await caller.refusal('disk_search', again)).toMatchObject({ status: 404 })
  expect((await keys({ search: 'sec' })).keys).toEqual([])
  expect(await caller.refusal('tag_key_list', { query: { project: 'guarded' } })).toMatchObject({
    status: 404,
  })
  expect(id).toBeTruthy()
})

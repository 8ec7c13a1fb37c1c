/** Lists at scale: counts of rows for each word of a filter. */
import type { Wire } from '@steading/api'
import { LIST_COUNT_MAX } from '@steading/api/rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { diskRow, floatingIpRow, instanceRow, storeRows } from '../support/many.ts'
import { addPool } from '../support/networks.ts'

let server: TestServer
let projectId: string
beforeAll(async () => {
  server = await startTestServer()
  await server.admin.call('project_create', { body: { name: 'web', description: '' } })
  projectId = (await server.admin.call('project_view', { params: { project: 'web' } })).id
})
afterAll(() => server.close())

type Query = Partial<Wire.Operations['disk_search']['query']>
const search = (query: Query) =>
  server.admin.call('disk_search', { query: { project: 'web', limit: 3, ...query } })

describe('among more disks than are counted', () => {
  const rows = Array.from({ length: LIST_COUNT_MAX + 4_000 }, (_, index) => ({
    name: `disk-${String(index).padStart(5, '0')}`,
    // All have the trigrams of "odd one", some have the phrase itself.
    description: index % 7 === 0 ? 'odd one' : 'odd, oddd ond d one',
    state: index > 13_500 ? 'finalizing' : index % 10 === 0 ? 'faulted' : 'detached',
    disk_type: index === 13_990 || index % 2 === 1 ? 'local' : 'distributed',
  }))
  type Row = (typeof rows)[number]
  beforeAll(async () => {
    await storeRows(
      server.db,
      'disk',
      rows.map(({ name, ...values }) => diskRow(projectId, name, values as never)),
    )
  })

  const wanted = ({ search, state, type }: Query) => {
    const has = ({ name, description }: Row) =>
      search!.length < 3
        ? name.startsWith(search!)
        : name.includes(search!) || description.includes(search!)
    return rows
      .filter((row) => !search || has(row))
      .filter((row) => !state || state.split(',').includes(row.state))
      .filter((row) => !type || type.split(',').includes(row.disk_type))
  }
  const counted = (count: number) => (count > LIST_COUNT_MAX ? null : count)

  test.each<Query>([
    {},
    { search: 'disk' },
    { search: 'disk-0' },
    { search: 'disk-012' },
    { search: 'di' },
    { search: 'odd one' },
    { search: 'nobody' },
    { state: 'finalizing' },
    { state: 'detached' },
    { state: 'detached,faulted', type: 'local' },
    // Both have many rows, but none in common.
    { state: 'faulted', type: 'local' },
    { state: 'finalizing,finalizing', type: 'local', search: 'disk-13' },
    { state: 'detached', search: 'odd one', sort_by: 'size_descending' },
  ])('of %j, every word and all pages are counted correctly', async (query) => {
    const all = wanted(query)
    const page = await search(query)
    expect(page.total).toBe(counted(all.length))
    expect(page.counts).toBeUndefined()
    const byName = !query.sort_by
    if (byName)
      expect(page.items.map(({ name }) => name)).toEqual(all.slice(0, 3).map((row) => row.name))
    for (const [count_by, column] of [
      ['state', 'state'],
      ['type', 'disk_type'],
    ] as const) {
      const others = wanted({ ...query, [count_by]: undefined })
      const { counts } = await search({ ...query, count_by })
      const words = [...new Set(others.map((row) => row[column]))].toSorted()
      expect(counts).toEqual(
        words.map((word) => ({
          word,
          count: counted(others.filter((row) => row[column] === word).length),
        })),
      )
    }
  })

  test('does not count again for later pages', async () => {
    const first = await search({ count_by: 'state', limit: 1 })
    const second = await search({ page_token: first.next_page, limit: 1 })
    expect(second.items).toHaveLength(1)
    expect(second.counts).toBeUndefined()
  })
})

test('finds instances by more addresses than are counted, each once @long', async () => {
  const rows = Array.from({ length: LIST_COUNT_MAX + 1 }, (_, index) =>
    instanceRow(projectId, `box-${String(index).padStart(5, '0')}`, {
      run_state: index < 4 ? 'running' : 'stopped',
      // Also found by its text.
      description: index === 2 ? 'was 10.1.2.3' : '',
    }),
  )
  await storeRows(server.db, 'instance', [...rows, instanceRow(projectId, 'apart')])
  const pool = crypto.randomUUID()
  const addresses = rows.flatMap(({ id }, index) =>
    [0, 1].map((second) =>
      floatingIpRow(projectId, pool, 2 * index + second, 'x', {
        name: null,
        name_key: null,
        description: null,
        kind: 'ephemeral',
        ip: `10.${second}.${index >> 8}.${index & 255}`,
        instance_id: id,
      }),
    ),
  )
  await storeRows(server.db, 'external_ip', addresses as never)
  // As both databases do automatically, some time after this many rows were added.
  await sql`analyze`.execute(server.db)
  const found = async (search: string) => {
    const query = { project: 'web', search, count_by: 'state', limit: 2 } as const
    const { items, total, counts } = await server.admin.call('instance_search', { query })
    return { names: items.map(({ name }) => name), total, counts }
  }
  const both = [
    { word: 'running', count: 4 },
    { word: 'stopped', count: LIST_COUNT_MAX - 3 },
  ]
  expect(await found('10.')).toEqual({
    names: ['box-00000', 'box-00001'],
    total: null,
    counts: both,
  })
  expect(await found('10.1.2.3')).toEqual({
    names: ['box-00002', 'box-00515'],
    total: 2,
    counts: both.map(({ word }) => ({ word, count: 1 })),
  })
})

test('counts floating IPs by the names of their pools', async () => {
  const pools = await Promise.all(
    ['front', 'back', 'unused'].map((name) =>
      addPool(server.db, name, { first: '198.51.0.0', last: '198.51.255.255' }),
    ),
  )
  const instance_id = crypto.randomUUID()
  await storeRows(server.db, 'external_ip', [
    floatingIpRow(projectId, pools[0]!, 1, 'one'),
    floatingIpRow(projectId, pools[0]!, 2, 'two', { instance_id }),
    floatingIpRow(projectId, pools[1]!, 3, 'three', { instance_id }),
  ])
  const counts = async (query: Partial<Wire.Operations['floating_ip_search']['query']>) =>
    (await server.admin.call('floating_ip_search', { query: { project: 'web', ...query } })).counts
  const [front, back] = [
    { word: 'front', count: 2 },
    { word: 'back', count: 1 },
  ]
  expect(await counts({ count_by: 'pool' })).toEqual([back, front])
  expect(await counts({ count_by: 'pool', pool: 'unused' })).toEqual([back, front])
  expect(await counts({ count_by: 'pool', attached: 'yes' })).toEqual([
    back,
    { ...front, count: 1 },
  ])
  expect(await counts({ count_by: 'attached', pool: `front,${pools[0]}` })).toEqual([
    { word: 'no', count: 1 },
    { word: 'yes', count: 1 },
  ])
  expect(await counts({ count_by: 'attached' })).toEqual([
    { word: 'no', count: 1 },
    { word: 'yes', count: 2 },
  ])
})

test("counts only by a list's own filters, and not in views and jobs", async () => {
  const query = { project: 'web', count_by: 'size' as never }
  expect(await server.admin.refusal('disk_search', { query })).toEqual({
    status: 400,
    message:
      'unable to parse query string: count_by: unknown variant `size`, expected `state` or `type`',
  })
  const view = { name: 'counted', list: 'disk', query: { count_by: 'state' } } as const
  expect(await server.admin.refusal('view_create', { body: view })).toMatchObject({
    status: 400,
    message: expect.stringContaining('unknown query parameter `count_by`'),
  })
})

/** Searches with the trigram index: its contents and its existence. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { storedKinds } from '../../src/kernel/kinds.ts'
import { purgeDeleted } from '../../src/purge.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { diskRow, instanceRow, storeRows } from '../support/many.ts'

let server: TestServer
let projectId: string
beforeAll(async () => {
  server = await startTestServer()
  const project = await server.admin.call('project_create', {
    body: { name: 'web', description: 'Shop front' },
  })
  projectId = project.id
})
afterAll(() => server.close())

const disksWith = async (search: string): Promise<string[]> => {
  const { items, total } = await server.admin.call('disk_search', {
    query: { project: 'web', search, limit: 1000 },
  })
  expect(total).toBe(items.length)
  return items.map(({ name }) => name)
}
const store = (name: string, description = '') =>
  storeRows(server.db, 'disk', [diskRow(projectId, name, { description })])
const change = (name: string, values: object) =>
  server.db.updateTable('disk').set(values).where('name', '=', name).execute()

test('every searchable table has a trigram index', async () => {
  const tables = new Set(storedKinds().flatMap(({ search, table }) => (search ? [table] : [])))
  const { rows } = await (
    inject('dialect') === 'sqlite'
      ? sql<{ name: string }>`select tbl_name as name from sqlite_master
          where type = 'trigger' and name like tbl_name || '\\_text\\_insert%' escape '\\'`
      : sql<{ name: string }>`select tablename as name from pg_indexes
          where indexname like tablename || '\\_text\\_%'`
  ).execute(server.db)
  expect(rows.map(({ name }) => name).toSorted()).toEqual([...tables].toSorted())
})

describe('a row is found', () => {
  test('by any part of its name and description, case-insensitively', async () => {
    await store('apple-tree', 'Bears "100%" of it_s fruit, süß')
    for (const part of ['ple', 'LE-TR', 'apple-tree', '"10', '0%"', 't_s f', 'süß', ' OF ']) {
      expect(await disksWith(part)).toEqual(['apple-tree'])
    }
  })

  test('not across its name and description, or by a near match', async () => {
    await store('cherry', 'stone')
    for (const part of ['rrys', 'ry\nst', 'chrry', 'tones', '%rry', 'st_ne']) {
      expect(await disksWith(part)).toEqual([])
    }
  })

  test('by one or two letters if its name begins with them', async () => {
    await store('zebra', 'q')
    await store('azure')
    expect(await disksWith('Z')).toEqual(['zebra'])
    expect(await disksWith('ze')).toEqual(['zebra'])
    expect(await disksWith('q')).toEqual([])
  })

  test('by its present name', async () => {
    await store('before', 'the old words')
    await change('before', { name: 'after', description: 'the new words' })
    expect(await disksWith('before')).toEqual([])
    expect(await disksWith('old w')).toEqual([])
    expect(await disksWith('after')).toEqual(['after'])
    expect(await disksWith('new w')).toEqual(['after'])
  })

  test('until it is deleted, and then another one with that name', async () => {
    await store('phoenix')
    await change('phoenix', { time_deleted: '2020-01-01T00:00:00.000Z' })
    expect(await disksWith('phoenix')).toEqual([])
    await store('phoenix')
    await purgeDeleted(server.db, '2021-01-01T00:00:00.000Z', () => true)
    expect(await disksWith('phoenix')).toEqual(['phoenix'])
  })

  test('only if it was committed', async () => {
    const gone = server.db.transaction().execute(async (tx) => {
      await storeRows(tx, 'disk', [diskRow(projectId, 'never-was')])
      throw new Error('rolled back')
    })
    await expect(gone).rejects.toThrow('rolled back')
    expect(await disksWith('never-was')).toEqual([])
  })
})

test('pages of any number of matches are those of the list, whose other rows come first', async () => {
  const others = Array.from({ length: 9_000 }, (_, index) =>
    instanceRow(projectId, `common-${String(index).padStart(5, '0')}`, { ncpus: 1 }),
  )
  const rare = Array.from({ length: 1_200 }, (_, index) =>
    instanceRow(projectId, `rare-${String(index).padStart(5, '0')}`, {
      ncpus: 2 + (index % 3),
      description: index % 400 === 0 ? 'one of three' : '',
    }),
  )
  await storeRows(server.db, 'instance', [...others, ...rare])
  const search = async (asked: { search: string; sort_by?: 'ncpus_ascending' }) => {
    const query = { project: 'web', limit: 500, ...asked }
    const names: string[] = []
    let total: number | null = 0
    for (let page_token: string | undefined; ;) {
      const page = await server.admin.call('instance_search', {
        query: page_token ? { page_token, limit: 500 } : query,
      })
      names.push(...page.items.map(({ name }) => name))
      total = page.total
      if (page.items.length < 500) return { names, total }
      page_token = page.next_page!
    }
  }
  const sorted = [2, 3, 4].flatMap((ncpus) => {
    const its = rare.filter((row) => row.ncpus === ncpus)
    return its.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ name }) => name)
  })
  expect(await search({ search: 'rare', sort_by: 'ncpus_ascending' })).toEqual({
    names: sorted,
    total: 1_200,
  })
  const three = ['rare-00000', 'rare-00400', 'rare-00800']
  expect(await search({ search: 'of three' })).toEqual({ names: three, total: 3 })
  expect(await search({ search: 'mon-rare' })).toEqual({ names: [], total: 0 })
  const all = await search({ search: '-00' })
  expect(all.total).toBe(2_000)
  expect(all.names).toHaveLength(2_000)
})

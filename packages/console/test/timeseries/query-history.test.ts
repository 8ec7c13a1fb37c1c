/** History of the queries that a user has run. */
import { beforeEach, expect, test, vi } from 'vitest'

const stored = new Map<string, string>()
vi.stubGlobal('localStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
})

const { queryClient } = await import('../../src/data/api.ts')
const { forgetQueries, forgetQuery, ranQueries, rememberQuery } =
  await import('../../src/observability/metrics-explorer/query-history.ts')

const signIn = (id: string, siloId = 'main') =>
  queryClient.setQueryData(['currentUserView', {}], { id, siloId })
const mill = { project: 'mill' }
const texts = (...args: Parameters<typeof ranQueries>) =>
  ranQueries(...args).map(({ query }) => query)

beforeEach(() => {
  stored.clear()
  signIn('miller')
})

test('latest first, and a repeated query moves to the front', () => {
  for (const query of ['get a:b', 'get c:d', 'get a:b']) rememberQuery(mill, query)
  expect(texts(mill)).toEqual(['get a:b', 'get c:d'])
})

test('is searched by words, and limited to a hundred', () => {
  for (let at = 0; at < 130; at++) rememberQuery(mill, `get disk:reads | last ${at + 1}`)
  expect(texts(mill)).toHaveLength(100)
  expect(texts(mill, 'READS 130')).toEqual(['get disk:reads | last 130'])
  expect(texts(mill, 'writes')).toEqual([])
})

test('is separate for each project, the system, and each user of each silo', () => {
  rememberQuery(mill, 'get a:b')
  rememberQuery('system', 'get c:d')
  expect(texts('system')).toEqual(['get c:d'])
  expect(texts({ project: 'bakery' })).toEqual([])
  signIn('baker')
  expect(texts(mill)).toEqual([])
  signIn('miller', 'guild')
  expect(texts(mill)).toEqual([])
})

test('removes one query, or all of a project', () => {
  rememberQuery(mill, 'get a:b')
  rememberQuery(mill, 'get c:d')
  rememberQuery('system', 'get c:d')
  forgetQuery(ranQueries(mill, 'c:d')[0]!)
  expect(texts(mill)).toEqual(['get a:b'])
  forgetQueries(mill)
  expect(texts(mill)).toEqual([])
  expect(texts('system')).toEqual(['get c:d'])
})

test('ignores invalid stored data', () => {
  for (const text of ['', '{', '{}', '[1, null, {"query": 3}]']) {
    stored.set('queries-main-miller', text)
    expect(texts(mill)).toEqual([])
  }
})

/** What is read again after a change that this page made, without any event. */
import type { MethodName } from '@steading/api/client'
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import { queryClient, whenReread } from '../src/data/api.ts'
import { isRemovedHere, noteChange } from '../src/data/stale.ts'

afterEach(() => queryClient.clear())

const query = { project: 'p' }
const ID = '5f9b2a3c-0000-4000-8000-000000000000'
const shown = {
  'list of instances': ['instanceList', { query }],
  'search of instances': ['instanceSearch', { query }],
  'tags of an instance': ['tagsView', { path: { kind: 'instance', thing: ID } }],
  'instance a': ['instanceView', { path: { instance: 'a' }, query }],
  'addresses of a': ['instanceExternalIpList', { path: { instance: 'a' }, query }],
  'addresses of b': ['instanceExternalIpList', { path: { instance: 'b' }, query }],
  'floating IPs': ['floatingIpList', { query }],
  disks: ['diskList', { query }],
  utilization: ['utilizationView', {}],
  'disk e': ['diskView', { path: { disk: 'e' }, query }],
  prices: ['priceListView', {}],
} as const

/** Shows all of these reads, and tells which of them are repeated by a change. */
async function rereadAfter(
  operation: MethodName,
  args: unknown,
  answer?: object,
): Promise<string[]> {
  const reread: string[] = []
  const stops = Object.entries(shown).map(([what, queryKey]) =>
    new QueryObserver<string>(queryClient, {
      queryKey,
      initialData: 'before',
      staleTime: Infinity,
      queryFn: async () => {
        reread.push(what)
        return 'after'
      },
    }).subscribe(() => {}),
  )
  noteChange(operation, args, answer)
  await whenReread()
  stops.forEach((stop) => stop())
  return reread.sort()
}

test('an attached address is also shown by its instance', async () => {
  const args = { path: { floatingIp: 'x' }, query, body: { kind: 'instance', parent: 'a' } }
  expect(await rereadAfter('floatingIpAttach', args)).toEqual([
    'addresses of a',
    'addresses of b',
    'floating IPs',
    'instance a',
    'list of instances',
    'search of instances',
    'tags of an instance',
    'utilization',
  ])
})

test('a new disk leaves other disks as they are', async () => {
  const reread = await rereadAfter('diskCreate', { query }, { id: crypto.randomUUID(), name: 'd' })
  expect(reread).toEqual(['disks', 'utilization'])
})

test('a change of one instance leaves the details of others', async () => {
  const args = { path: { instance: 'a' }, query }
  const reread = await rereadAfter('instanceStop', args)
  expect(reread).toContain('addresses of a')
  expect(reread).not.toContain('addresses of b')
  // An ID may be that of any name.
  const byId = { path: { instance: ID } }
  queryClient.clear()
  expect(await rereadAfter('instanceStop', byId)).toContain('addresses of b')
})

test('a deleted instance is not read again, but lists are', async () => {
  const reread = await rereadAfter('instanceDelete', { path: { instance: 'a' }, query })
  expect(reread).toEqual([
    'disk e',
    'disks',
    'floating IPs',
    'list of instances',
    'search of instances',
    'utilization',
  ])
})

test('the old name of a renamed instance is not read again', async () => {
  const args = { path: { instance: 'a' }, query, body: { name: 'c' } }
  const reread = await rereadAfter('instanceUpdate', args)
  expect(reread).toContain('list of instances')
  expect(reread).not.toContain('instance a')
})

test.each<[MethodName, object, boolean]>([
  ['starDelete', { path: { thing: ID } }, false],
  ['dismissalDelete', { path: { place: ID } }, false],
  ['instanceDelete', { path: { instance: ID } }, true],
])('after %s of %o, its resource is gone: %s', async (operation, args, isGone) => {
  queryClient.setQueryData(shown['tags of an instance'], 'before', { updatedAt: 1 })
  const mutation = queryClient
    .getMutationCache()
    .build(queryClient, { mutationKey: [operation], mutationFn: async () => {} })
  await mutation.execute(args as never)
  const [query] = queryClient.getQueryCache().findAll()
  expect(isRemovedHere(query!)).toBe(isGone)
})

test('calls that change nothing make nothing stale', async () => {
  expect(await rereadAfter('timeseriesQuery', { query, body: { query: '' } })).toEqual([])
  expect(await rereadAfter('diskBulkWriteImport', { path: { disk: 'd' } })).toEqual([])
})

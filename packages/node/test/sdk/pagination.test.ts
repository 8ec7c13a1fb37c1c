import { expect, test } from 'vitest'
import { type Methods, ok, refusal, signIn, startHost } from './client.ts'

type SortBy = 'name_ascending' | 'name_descending' | 'id_ascending'

/** Follows `nextPage` until there is none, as described in the client's README. */
async function pages(api: Methods, project: string, limit: number, sortBy?: SortBy) {
  const all: { id: string; name: string }[][] = []
  let pageToken: string | null | undefined
  do {
    const query = pageToken ? { limit, pageToken } : { project, limit, sortBy }
    const page = ok(await api.floatingIpList({ query }))
    all.push(page.items.map(({ id, name }) => ({ id, name })))
    pageToken = page.nextPage
  } while (pageToken)
  return all
}

test('the published client reads a list page by page, each row once @long', async () => {
  const { methods: api } = await signIn(await startHost())
  ok(await api.projectCreate({ body: { name: 'web', description: '' } }))
  const made: { id: string; name: string }[] = []
  for (let number = 0; number < 7; number++) {
    const body = { name: `ip-${number}`, description: '' }
    const { id, name } = ok(await api.floatingIpCreate({ query: { project: 'web' }, body }))
    made.push({ id, name })
  }
  const names = made.map(({ name }) => name)

  for (const limit of [1, 3, 7, 100]) {
    const ascending = await pages(api, 'web', limit)
    expect(ascending.flat()).toEqual(made)
    expect(ascending.every((page) => page.length <= limit)).toBe(true)
    const descending = await pages(api, 'web', limit, 'name_descending')
    expect(descending.flat().map(({ name }) => name)).toEqual(names.toReversed())
    const byId = await pages(api, 'web', limit, 'id_ascending')
    expect(byId.flat().map(({ id }) => id)).toEqual(made.map(({ id }) => id).toSorted())
  }

  // A token continues after its page, even if rows were added and deleted.
  const query = { project: 'web', limit: 3 }
  const first = ok(await api.floatingIpList({ query }))
  ok(await api.floatingIpDelete({ path: { floatingIp: 'ip-2' }, query }))
  const body = { name: 'ip-0a', description: '' }
  ok(await api.floatingIpCreate({ query: { project: 'web' }, body }))
  const next = ok(await api.floatingIpList({ query: { limit: 3, pageToken: first.nextPage } }))
  expect(next.items.map(({ name }) => name)).toEqual(['ip-3', 'ip-4', 'ip-5'])

  expect(
    refusal(await api.floatingIpList({ query: { project: 'web', pageToken: 'nonsense' } })),
  ).toEqual({
    status: 400,
    message: 'unable to parse query string: failed to parse pagination token: corrupted token',
  })
  expect(refusal(await api.projectList({ query: { limit: 0 } })).status).toBe(400)
})

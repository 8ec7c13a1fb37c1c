import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { runJob, targets } from '../../support/jobs.ts'

let server: TestServer
const query = { project: 'work' }
beforeAll(async () => {
  server = await startTestServer()
  await server.admin.call('project_create', { body: { name: 'work', description: '' } })
})
afterAll(() => server.close())

const create = (name: string, color: 'red' | 'green' = 'red') =>
  server.admin.call('widget_create', { query, body: { name, description: 'A widget', color } })

test('widgets can be created, viewed, renamed and deleted', async () => {
  const { id, color } = await create('first', 'green')
  expect(color).toBe('green')
  expect(
    await server.admin.refusal('widget_create', {
      query,
      body: { name: 'first', description: '', color: 'red' },
    }),
  ).toMatchObject({ message: 'already exists: widget "first"' })
  const named = { params: { widget: 'first' }, query }
  expect(await server.admin.call('widget_view', named)).toMatchObject({ id })
  await server.admin.call('widget_update', { ...named, body: { name: 'renamed' } })
  const byId = { params: { widget: id.toUpperCase() } }
  expect(await server.admin.call('widget_view', byId)).toMatchObject({ name: 'renamed' })
  expect(await server.admin.refusal('widget_view', { ...byId, query })).toMatchObject({
    message: 'when providing widget as an ID, project should not be specified',
  })
  await server.admin.call('widget_delete', byId)
  expect(await server.admin.refusal('widget_view', byId)).toMatchObject({ status: 404 })
})

test('widgets can be listed, searched and deleted in bulk', async () => {
  const made = [await create('a'), await create('b', 'green'), await create('c')]
  const all = await server.admin.call('widget_list', { query })
  expect(all.items.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
  const red = await server.admin.call('widget_search', {
    query: { ...query, color: 'red', sort_by: 'name_descending' },
  })
  expect(red).toMatchObject({ total: 2, items: [{ name: 'c' }, { name: 'a' }] })
  const project = { params: { project: 'work' } }
  expect(await server.admin.refusal('project_delete', project)).toMatchObject({
    message: expect.stringMatching(/contains a (vpc|widget): /),
  })
  const ids = made.map(({ id }) => id)
  await runJob(server.admin, 'delete', 'widget', targets(...ids))
  expect((await server.admin.call('widget_list', { query })).items).toEqual([])
})

test('outsiders cannot see widgets, and viewers cannot change them', async () => {
  const { id } = await create('kept')
  const params = { widget: id }
  const { caller: stranger } = await server.createUser('widget-stranger')
  expect(await stranger.refusal('widget_view', { params })).toMatchObject({ status: 404 })
  const { caller: viewer } = await server.createUser('widget-viewer', { silo: 'viewer' })
  expect(await viewer.call('widget_view', { params })).toMatchObject({ id })
  expect(await viewer.refusal('widget_delete', { params })).toMatchObject({ status: 403 })
})

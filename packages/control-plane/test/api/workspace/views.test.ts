/** Saved views of lists: one's own, and those shared in a project. */
import type { Wire } from '@steading/api'
import { VIEWS_MAX } from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { purgeDeleted } from '../../../src/purge.ts'
import { startTestServer, type TestServer, type User } from '../../support/harness.ts'

let server: TestServer
let mill: string
let member: User
let viewer: User
let stranger: User
beforeAll(async () => {
  server = await startTestServer()
  await server.admin.call('project_create', { body: { name: 'mill', description: '' } })
  mill = (await server.admin.call('project_view', { params: { project: 'mill' } })).id
  member = await server.createUser('member', { projects: { [mill]: 'limited_collaborator' } })
  viewer = await server.createUser('viewer', { projects: { [mill]: 'viewer' } })
  stranger = await server.createUser('stranger')
})
afterAll(() => server.close())

type Body = Wire.SavedViewCreate
const failed: Body = {
  name: 'Failed this week',
  list: 'instance',
  query: { state: 'failed', search: 'web', sort_by: 'memory_descending' },
  columns: ['name', 'state', 'external-ips'],
}
const create = ({ caller }: User, body: Partial<Body> = {}) =>
  caller.call('view_create', { body: { ...failed, ...body } })
const list = async ({ caller }: User, project?: string) =>
  (await caller.call('view_list', { query: { list: 'instance', project } })).items
const namesOf = (views: { name: string }[]) => views.map(({ name }) => name)
const remove = ({ caller }: User, view: string) => caller.call('view_delete', { params: { view } })

describe('views of a user', () => {
  test('are created, changed, ordered and deleted', async () => {
    const view = await create(member)
    expect(view).toMatchObject({ ...failed, project_id: null, position: 1000 })
    const second = await create(member, { name: 'All of them', query: {}, columns: null })
    expect(second).toMatchObject({ query: {}, columns: null, position: 2000 })
    expect(namesOf(await list(member))).toEqual(['Failed this week', 'All of them'])
    const params = { view: second.id }
    await member.caller.call('view_update', { params, body: { position: -5, name: 'Everything' } })
    const [first, other] = await list(member)
    expect(first).toMatchObject({ name: 'Everything', position: -5, query: {}, columns: null })
    expect(other).toEqual(view)
    await member.caller.call('view_update', { params, body: { query: { search: 'x' } } })
    await member.caller.call('view_update', { params, body: { columns: ['name'] } })
    expect((await list(member))[0]).toMatchObject({ query: { search: 'x' }, columns: ['name'] })
    await remove(member, second.id)
    await remove(member, view.id)
    expect(await list(member)).toEqual([])
  })

  test('are private', async () => {
    const { id } = await create(member)
    const params = { view: id }
    for (const user of [viewer, stranger, { caller: server.admin } as User]) {
      expect(await list(user)).toEqual([])
      expect(await user.caller.refusal('view_delete', { params })).toMatchObject({ status: 404 })
      expect(
        await user.caller.refusal('view_update', { params, body: { name: 'x' } }),
      ).toMatchObject({ status: 404 })
    }
    await remove(member, id)
  })

  test('have unique names', async () => {
    const { id } = await create(member)
    await create(viewer)
    const taken = { status: 400, message: 'already exists: view "Failed this week"' }
    expect(await member.caller.refusal('view_create', { body: failed })).toMatchObject(taken)
    const other = await create(member, { name: 'Other' })
    expect(
      await member.caller.refusal('view_update', {
        params: { view: other.id },
        body: { name: failed.name },
      }),
    ).toMatchObject(taken)
    for (const view of [id, other.id]) await remove(member, view)
  })
})

describe('views shared in a project', () => {
  test('can be created by collaborators and read by viewers', async () => {
    const shared = await create(member, { project: 'mill' })
    expect(shared).toMatchObject({ project_id: mill })
    expect(await list(viewer, 'mill')).toContainEqual(shared)
    expect(await list(viewer)).not.toContainEqual(shared)
    const params = { view: shared.id }
    const body = { ...failed, project: 'mill' }
    expect(await viewer.caller.refusal('view_create', { body })).toMatchObject({ status: 403 })
    expect(await viewer.caller.refusal('view_delete', { params })).toMatchObject({ status: 403 })
    expect(await stranger.caller.refusal('view_create', { body })).toMatchObject({ status: 404 })
    expect(await stranger.caller.refusal('view_delete', { params })).toMatchObject({ status: 404 })
    expect(
      await stranger.caller.refusal('view_list', { query: { list: 'instance', project: 'mill' } }),
    ).toMatchObject({ status: 404 })
    // Any collaborator can change them, not only their creator.
    const other = await server.createUser('other', { projects: { [mill]: 'collaborator' } })
    await other.caller.call('view_update', { params, body: { name: 'Ours' } })
    expect(namesOf(await list(member, 'mill'))).toContain('Ours')
    await remove(other, shared.id)
  })

  test('are refused for lists outside of projects', async () => {
    const body = { ...failed, list: 'ssh_key', query: {}, project: 'mill' } as const
    expect(await member.caller.refusal('view_create', { body })).toMatchObject({
      status: 400,
      message: 'project: SSH keys are not in a project',
    })
  })

  test('are deleted with their project, and one’s own with the user', async () => {
    await server.admin.call('project_create', { body: { name: 'short', description: '' } })
    await server.admin.call('view_create', { body: { ...failed, project: 'short' } })
    const leaver = await server.createUser('leaver')
    await create(leaver)
    await server.admin.call('vpc_subnet_delete', {
      params: { subnet: 'default' },
      query: { project: 'short', vpc: 'default' },
    })
    await server.admin.call('vpc_delete', {
      params: { vpc: 'default' },
      query: { project: 'short' },
    })
    await server.admin.call('project_delete', { params: { project: 'short' } })
    await server.db
      .updateTable('silo_user')
      .set({ time_deleted: new Date().toISOString() })
      .where('id', '=', leaver.id)
      .execute()
    const before = await server.db.selectFrom('saved_view').select('id').execute()
    await purgeDeleted(server.db, new Date(0).toISOString(), () => true)
    const after = await server.db.selectFrom('saved_view').select('id').execute()
    expect(before.length - after.length).toBe(2)
  })
})

describe('refuses', () => {
  test.each<[what: string, Record<string, unknown>, string]>([
    ['no name', { name: '' }, 'name requires at least one character'],
    ['a space before the name', { name: ' x' }, 'name must not begin or end with a space'],
    ['a long name', { name: 'x'.repeat(64) }, 'name may contain at most 63 characters'],
    ['an unknown list', { list: 'starship' }, 'unknown variant `starship`'],
    [
      'a filter of another list',
      { query: { color: 'red' } },
      'query: unknown query parameter `color`',
    ],
    [
      'a parameter that objects have',
      { query: { __proto__: null, toString: 'x' } },
      'query: unknown query parameter `toString`',
    ],
    ['an unknown state', { query: { state: 'dancing' } }, 'unknown variant `dancing`'],
    [
      'a column that is not sorted by',
      { query: { sort_by: 'hostname_ascending' } },
      'unknown variant `hostname_ascending`',
    ],
    [
      'a long search',
      { query: { search: 'x'.repeat(257) } },
      'search may contain at most 256 characters',
    ],
    ['a search that is a number', { query: { search: 7 } }, 'invalid type'],
    ['a column with other characters', { columns: ['Name!'] }, 'a column is named by'],
    [
      'too many columns',
      { columns: Array(900).fill('name') },
      'columns may have at most 4096 characters',
    ],
    ['a large position', { position: 2 ** 31 }, 'expected i32'],
    ['a position between two numbers', { position: 1.5 }, 'expected i32'],
  ])('%s', async (_, values, message) => {
    expect(
      await member.caller.refusal('view_create', { body: { ...failed, ...values } as never }),
    ).toMatchObject({ status: 400, message: expect.stringContaining(message) })
  })

  test('more views than the limit', async () => {
    const many = await server.createUser('many')
    for (let index = 0; index < VIEWS_MAX; index++) await create(many, { name: `v${index}` })
    expect(await many.caller.refusal('view_create', { body: failed })).toMatchObject({
      status: 400,
      message: `a list can have at most ${VIEWS_MAX} views`,
    })
    await create(many, { list: 'disk', query: {} })
  })
})

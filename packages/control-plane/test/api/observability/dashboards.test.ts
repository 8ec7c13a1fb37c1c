/** Saved dashboards: one's own, and those shared in a project or a silo. */
import type { Wire } from '@steading/api'
import { DASHBOARD_CHARTS_MAX, DASHBOARDS_MAX, RESOURCE_CHANGED } from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { purgeDeleted } from '../../../src/purge.ts'
import { startTestServer, type TestServer, type User } from '../../support/harness.ts'

let server: TestServer
let mill: string
let member: User
let viewer: User
let stranger: User
let collaborator: User
beforeAll(async () => {
  server = await startTestServer()
  mill = (await server.admin.call('project_create', { body: { name: 'mill', description: '' } })).id
  member = await server.createUser('member', { projects: { [mill]: 'limited_collaborator' } })
  viewer = await server.createUser('viewer', { projects: { [mill]: 'viewer' } })
  stranger = await server.createUser('stranger')
  collaborator = await server.createUser('collaborator', { silo: 'collaborator' })
})
afterAll(() => server.close())

const cpu: Wire.DashboardChart = {
  title: 'CPU',
  query: 'get virtual_machine:vcpu_usage | filter instance_id == $instance | align mean_within(1m)',
  display: 'line',
  width: 'half',
}
const usual: Wire.DashboardCreate = {
  name: 'Load of the mill',
  description: 'What grinds',
  source: 'project',
  sharing: 'private',
  charts: [cpu],
}
const inMill = { sharing: 'project', project: 'mill' } as const
const create = ({ caller }: User, body: Partial<Wire.DashboardCreate> = {}) =>
  caller.call('dashboard_create', { body: { ...usual, ...body } })
const list = async ({ caller }: User, project?: string) =>
  (await caller.call('dashboard_list', { query: { source: 'project', project } })).items
const idsOf = async (user: User, project?: string) =>
  (await list(user, project)).map(({ id }) => id)
const remove = ({ caller }: User, dashboard: string) =>
  caller.call('dashboard_delete', { params: { dashboard } })

describe('dashboards of a user', () => {
  test('can be created, changed, listed by name and deleted', async () => {
    const second = await create(member)
    expect(second).toMatchObject({ ...usual, project_id: null })
    const first = await create(member, { name: 'Another', charts: [] })
    expect(await list(member)).toEqual([first, second])
    const params = { dashboard: second.id }
    const { name, sharing } = usual
    const body = { name, sharing, description: 'Less', charts: [cpu, { ...cpu, title: 'Again' }] }
    const updated = await member.caller.call('dashboard_update', { params, body })
    expect(updated).toMatchObject({ ...body, id: second.id, time_created: second.time_created })
    expect(await member.caller.call('dashboard_view', { params })).toEqual(updated)
    for (const { id } of [first, second]) await remove(member, id)
    expect(await list(member)).toEqual([])
  })

  test('do not exist for anybody else', async () => {
    const { id } = await create(member)
    const params = { dashboard: id }
    const { name, description, charts } = usual
    const body = { name, description, charts, sharing: 'private' as const }
    for (const caller of [viewer.caller, stranger.caller, server.admin]) {
      expect(await caller.call('dashboard_list', { query: { source: 'project' } })).toEqual({
        items: [],
      })
      for (const refusal of [
        await caller.refusal('dashboard_view', { params }),
        await caller.refusal('dashboard_update', { params, body }),
        await caller.refusal('dashboard_delete', { params }),
      ]) {
        expect(refusal).toMatchObject({
          status: 404,
          message: `not found: dashboard with id "${id}"`,
        })
      }
    }
    await remove(member, id)
  })

  test('have unique names', async () => {
    const { id } = await create(member)
    const other = await create(viewer)
    expect(await member.caller.refusal('dashboard_create', { body: usual })).toMatchObject({
      status: 400,
      message: 'already exists: dashboard "Load of the mill"',
    })
    await remove(member, id)
    await remove(viewer, other.id)
  })

  test('are limited', async () => {
    const time = new Date().toISOString()
    const keeper = await server.createUser('keeper')
    await server.db
      .insertInto('dashboard')
      .values(
        Array.from({ length: DASHBOARDS_MAX }, (_, number) => ({
          id: crypto.randomUUID(),
          name: `number ${number}`,
          description: '',
          source: 'project' as const,
          user_id: keeper.id,
          project_id: null,
          silo_id: null,
          charts: '[]',
          time_created: time,
          time_modified: time,
        })),
      )
      .execute()
    expect(await keeper.caller.refusal('dashboard_create', { body: usual })).toMatchObject({
      status: 400,
      message: 'there can be at most 100 dashboards in one place',
    })
  })
})

describe('shared dashboards', () => {
  test('in a project can be changed by its collaborators and read by its viewers', async () => {
    const shared = await create(member, inMill)
    expect(shared).toMatchObject({ sharing: 'project', project_id: mill })
    expect(await list(viewer, 'mill')).toEqual([shared])
    expect(await list(viewer)).toEqual([])
    const params = { dashboard: shared.id }
    const body = { ...usual, ...inMill, name: 'Ours' }
    expect(await viewer.caller.refusal('dashboard_update', { params, body })).toMatchObject({
      status: 403,
    })
    expect(await viewer.caller.refusal('dashboard_delete', { params })).toMatchObject({
      status: 403,
    })
    expect(await viewer.caller.refusal('dashboard_create', { body })).toMatchObject({ status: 403 })
    for (const operation of ['dashboard_view', 'dashboard_delete'] as const) {
      expect(await stranger.caller.refusal(operation, { params })).toMatchObject({ status: 404 })
    }
    expect(
      await stranger.caller.refusal('dashboard_list', {
        query: { source: 'project', project: 'mill' },
      }),
    ).toMatchObject({ status: 404 })
    // Any collaborator can change it, not only its creator.
    await collaborator.caller.call('dashboard_update', { params, body })
    expect(await member.caller.call('dashboard_view', { params })).toMatchObject({ name: 'Ours' })
    await remove(collaborator, shared.id)
  })

  test('in a silo can be changed by its collaborators and read by all its users', async () => {
    const body = { ...usual, sharing: 'silo' as const }
    expect(await member.caller.refusal('dashboard_create', { body })).toMatchObject({ status: 403 })
    const { id } = await create(collaborator, body)
    const params = { dashboard: id }
    expect(await idsOf(stranger)).toEqual([id])
    expect(await stranger.caller.refusal('dashboard_delete', { params })).toMatchObject({
      status: 403,
    })
    await server.admin.call('dashboard_delete', { params })
  })

  test('can be moved, if the user may change both places', async () => {
    const own = await create(member)
    const params = { dashboard: own.id }
    await member.caller.call('dashboard_update', { params, body: { ...usual, ...inMill } })
    expect(await idsOf(viewer, 'mill')).toEqual([own.id])
    expect(
      await member.caller.refusal('dashboard_update', {
        params,
        body: { ...usual, sharing: 'silo' },
      }),
    ).toMatchObject({ status: 403 })
    expect(await viewer.caller.refusal('dashboard_update', { params, body: usual })).toMatchObject({
      status: 403,
    })
    await member.caller.call('dashboard_update', { params, body: usual })
    expect(await idsOf(viewer, 'mill')).toEqual([])
    expect(await idsOf(member)).toEqual([own.id])
    await remove(member, own.id)
  })

  test('of the system are for users who can read the fleet', async () => {
    const system = { ...usual, source: 'system' as const, charts: [] }
    const query = { source: 'system' } as const
    const { id } = await server.admin.call('dashboard_create', {
      body: { ...system, sharing: 'silo' },
    })
    const params = { dashboard: id }
    expect(await collaborator.caller.refusal('dashboard_list', { query })).toMatchObject({
      status: 403,
    })
    for (const operation of ['dashboard_view', 'dashboard_delete'] as const) {
      expect(await collaborator.caller.refusal(operation, { params })).toMatchObject({
        status: 403,
      })
    }
    expect(await idsOf(collaborator)).toEqual([])
    expect((await server.admin.call('dashboard_list', { query })).items).toHaveLength(1)
    await server.admin.call('dashboard_delete', { params })
  })

  test('are deleted with their project, and one’s own with the user', async () => {
    const { id: short } = await server.admin.call('project_create', {
      body: { name: 'short', description: '' },
    })
    await server.admin.call('dashboard_create', {
      body: { ...usual, sharing: 'project', project: short },
    })
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
    const count = async () =>
      (await server.db.selectFrom('dashboard').select('id').execute()).length
    const before = await count()
    await purgeDeleted(server.db, new Date(0).toISOString(), () => true)
    expect(before - (await count())).toBe(2)
  })
})

test('keep the keys of tags that they offer', async () => {
  const { id, tag_keys } = await create(member, { tag_keys: ['env', 'team'] })
  expect(tag_keys).toEqual(['env', 'team'])
  const { name, description, charts, sharing } = usual
  const change = (body: object) =>
    member.caller.call('dashboard_update', {
      params: { dashboard: id },
      body: { name, description, charts, sharing, ...body },
    })
  expect((await change({})).tag_keys).toEqual(['env', 'team'])
  expect((await change({ tag_keys: [] })).tag_keys).toEqual([])
  for (const tag_keys of [['a b'], ['env:prod'], ['env', 'env'], ['a', 'b', 'c', 'd']]) {
    const { status, message } = await member.caller.refusal('dashboard_create', {
      body: { ...usual, tag_keys },
    })
    expect(status).toBe(400)
    expect(message).toMatch(/tag/)
  }
  await remove(member, id)
})

test("report a conflict with another user's change", async () => {
  const { id } = await create(member, inMill)
  const path = `/x/v1/dashboards/${id}`
  const tag = (await member.caller.send('GET', path)).headers.get('etag')!
  const body = { ...usual, ...inMill }
  const put = (name: string, ifMatch: string) =>
    member.caller.send('PUT', path, { body: { ...body, name }, headers: { 'if-match': ifMatch } })
  expect(await put('First', tag)).toMatchObject({ status: 200 })
  expect(await put('Second', tag)).toMatchObject({
    status: 412,
    body: { message: RESOURCE_CHANGED },
  })
  expect((await list(member, 'mill')).map(({ name }) => name)).toEqual(['First'])
  await remove(member, id)
})

describe('refuses', () => {
  const chart = (changes: Partial<Wire.DashboardChart>) => ({ charts: [{ ...cpu, ...changes }] })
  test.each<[what: string, Record<string, unknown>, string]>([
    ['no name', { name: '' }, 'name requires at least one character'],
    ['no title', chart({ title: ' ' }), 'title requires at least one character'],
    ['no query', chart({ query: '' }), 'query requires at least one character'],
    [
      'a query that is none',
      chart({ query: 'get virtual_machine:vcpu_usage | grind' }),
      'charts[0].query: ',
    ],
    [
      'a variable that there is not',
      chart({ query: 'get virtual_machine:vcpu_usage | filter instance_id == $wheel' }),
      'charts[0].query: there is no variable $wheel, only $instance and $disk',
    ],
    [
      'a variable in place of an operation',
      chart({ query: 'get virtual_machine:vcpu_usage | $instance' }),
      'charts[0].query: ',
    ],
    [
      'too many charts',
      { charts: Array.from({ length: DASHBOARD_CHARTS_MAX + 1 }, () => cpu) },
      `a dashboard may have at most ${DASHBOARD_CHARTS_MAX} charts`,
    ],
    ['no project', { sharing: 'project' }, 'a dashboard that is shared in a project names it'],
    ['a project for nothing', { project: 'mill' }, 'only a dashboard that is shared in a project'],
    [
      'the system in a project',
      { source: 'system', charts: [], ...inMill },
      'a dashboard of the system cannot be shared in a project',
    ],
  ])('%s', async (_, changes, message) => {
    const { status, body } = await server.admin.send('POST', '/x/v1/dashboards', {
      body: { ...usual, ...changes },
    })
    expect({ status, message: (body as { message: string }).message }).toEqual({
      status: 400,
      message: expect.stringContaining(message),
    })
  })
})

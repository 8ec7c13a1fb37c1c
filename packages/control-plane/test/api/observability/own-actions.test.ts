/** The actions of a user outside of jobs, with their outcomes. */
import type { Wire } from '@steading/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { runJob, targets } from '../../support/jobs.ts'
import { detachedDisk, reaches, smallInstance } from '../../support/things.ts'

let server: TestServer
let maker: Caller
const query = { project: 'work' }
beforeAll(async () => {
  server = await startTestServer()
  const { admin } = server
  const { id } = await admin.call('project_create', { body: { name: 'work', description: '' } })
  maker = (await server.createUser('maker', { projects: { [id]: 'collaborator' } })).caller
})
afterAll(() => server.close())

const actionsOf = async (caller: Caller, values: object = {}): Promise<Wire.OwnAction[]> => {
  const query = { sort_by: 'time_completed_descending' as const, ...values }
  return (await caller.call('own_action_list', { query })).items
}

test('are listed with their times, targets and refusals, without those of others and of jobs', async () => {
  const disk = await detachedDisk(maker, query, 'flour')
  await detachedDisk(server.admin, query, 'salt')
  await maker.refusal('disk_create', { query, body: { name: 'flour' } as never })
  await maker.refusal('project_create', { body: { name: 'mine', description: '' } })
  const going = await detachedDisk(maker, query, 'going')
  await runJob(maker, 'delete', 'disk', targets(going.id))
  const actions = await actionsOf(maker)
  expect(actions.map(({ operation_id }) => operation_id)).not.toContain('disk_delete')
  expect(JSON.stringify(actions)).not.toContain('salt')
  const created = actions.find(({ target }) => target?.id === disk.id)!
  expect(created).toMatchObject({
    operation_id: 'disk_create',
    outcome: 'done',
    reason: null,
    request_uri: '/v1/disks?project=work',
    target: { kind: 'disk', name: 'flour' },
  })
  expect(created.time_started <= created.time_completed).toBe(true)
  const refused = await actionsOf(maker, { result: 'error', limit: 2 })
  expect(refused.map(({ outcome, operation_id }) => [operation_id, outcome])).toEqual([
    ['project_create', 'refused'],
    ['disk_create', 'refused'],
  ])
  expect(refused[0]!.reason).toBe('Forbidden')
})

test('are under way until their effect is there, and fail with it', async () => {
  const { id } = await maker.call('instance_create', { query, body: smallInstance('mill') })
  const outcomeOf = async (operation: string) =>
    (await actionsOf(maker)).find(
      ({ operation_id, target }) => operation_id === operation && target?.id === id,
    )
  const set = (run_state: 'starting' | 'failed', failure: string | null) =>
    server.db
      .updateTable('instance')
      .set({ run_state, failure, reconcile_at: null })
      .where('id', '=', id)
      .execute()
  const stateOf = async () =>
    (await maker.call('instance_view', { params: { instance: id } })).run_state
  await expect.poll(stateOf).toBe('stopped')
  await set('starting', null)
  expect(await outcomeOf('instance_create')).toMatchObject({ outcome: 'running' })
  await set('failed', 'the sled has failed')
  expect(await outcomeOf('instance_create')).toMatchObject({
    outcome: 'failed',
    reason: 'the sled has failed',
  })
  // Only the newest action tells about the present state.
  await server.db
    .updateTable('instance')
    .set({ run_state: 'stopped', failure: null })
    .where('id', '=', id)
    .execute()
  await maker.call('instance_start', { params: { instance: id } })
  expect(await outcomeOf('instance_create')).toMatchObject({ outcome: 'done' })
  await reaches(maker, id, 'running')
  expect(await outcomeOf('instance_start')).toMatchObject({ outcome: 'done' })
})

test('come in pages, and not to tokens with fewer rights', async () => {
  const first = await maker.call('own_action_list', { query: { limit: 2 } })
  expect(first.items).toHaveLength(2)
  const page_token = first.next_page!
  const second = await maker.call('own_action_list', { query: { limit: 2, page_token } })
  expect(second.items[0]!.time_completed >= first.items[1]!.time_completed).toBe(true)
  expect(second.items.map(({ id }) => id)).not.toContain(first.items[1]!.id)
  const { token } = await maker.call('current_user_access_token_create', {
    body: { name: 'ci', access: 'read_only' },
  })
  const limited = server.anonymous.withToken(token)
  expect(await limited.refusal('own_action_list')).toMatchObject({ status: 403 })
})

test('of others are seen by those who may read their resources, without what was refused', async () => {
  const { admin } = server
  const secret = await admin.call('project_create', { body: { name: 'secret', description: '' } })
  const work = await admin.call('project_view', { params: { project: 'work' } })
  const reader = await server.createUser('reader', { projects: { [work.id]: 'viewer' } })
  const auditor = await server.createUser('auditor', { silo: 'viewer' })
  const nobody = await server.createUser('nobody')
  const flour = await detachedDisk(maker, query, 'rye')
  await detachedDisk(admin, { project: 'secret' }, 'gold')
  // The name in a refused call may be that of something unknown to the reader.
  await maker.refusal('disk_delete', { params: { disk: 'gold' }, query: { project: 'work' } })

  const seenBy = async (caller: Caller, values: object = {}) => {
    const wanted = { sort_by: 'time_completed_descending' as const, limit: 100, ...values }
    return (await caller.call('action_list', { query: wanted })).items
  }
  const actions = await seenBy(reader.caller)
  expect(actions.find(({ target }) => target?.id === flour.id)).toMatchObject({
    operation_id: 'disk_create',
    user: { display_name: 'maker' },
    is_own: false,
    outcome: 'done',
  })
  expect(JSON.stringify(actions)).not.toMatch(/gold|secret/)
  const refused = actions.filter(({ outcome }) => outcome === 'refused')
  expect(refused.length).toBeGreaterThan(0)
  for (const action of refused) expect(action).toMatchObject({ target: null, reason: null })
  // Their author reads why.
  const own = (await seenBy(maker)).filter((one) => one.is_own && one.outcome === 'refused')
  expect(own.map(({ reason }) => reason)).toContainEqual(expect.stringContaining('gold'))

  expect(JSON.stringify(await seenBy(auditor.caller))).toContain('gold')
  expect(await seenBy(nobody.caller)).toEqual([])
  expect(await seenBy(auditor.caller, { project: secret.id })).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ target: expect.objectContaining({ name: 'gold' }) }),
    ]),
  )
  expect(
    await reader.caller.refusal('action_list', { query: { project: secret.id } }),
  ).toMatchObject({ status: 404 })

  // Pages go on without repetitions, until the end of what is visible.
  const ids: string[] = []
  let page_token: string | undefined
  do {
    const page = await reader.caller.call('action_list', {
      query: page_token ? { page_token } : { limit: 2, project: work.id },
    })
    ids.push(...page.items.map(({ id }) => id))
    page_token = page.items.length > 0 ? (page.next_page ?? undefined) : undefined
  } while (page_token)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.toSorted()).toEqual((await seenBy(reader.caller)).map(({ id }) => id).toSorted())

  // A right that is taken away hides them at once.
  await admin.call('project_policy_update', {
    params: { project: work.id },
    body: { role_assignments: [] },
  })
  expect(await seenBy(reader.caller)).toEqual([])
})

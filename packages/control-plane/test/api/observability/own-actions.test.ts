/** The actions of a user outside of jobs, with their outcomes. */
import type { Wire } from '@steading/api'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
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
  await vi.waitFor(async () => {
    const { run_state } = await maker.call('instance_view', { params: { instance: id } })
    expect(run_state).toBe('stopped')
  })
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

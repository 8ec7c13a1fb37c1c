/** Steps that keep failing while servers restart: the count survives. */
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { reaches, smallInstance } from '../support/things.ts'

let first: TestServer
/** On PostgreSQL, a server that keeps running while the other one restarts. */
let beside: TestServer | undefined
let server: TestServer

const join = () => startTestServer({ data: first.data, databaseUrl: first.databaseUrl })

beforeEach(async () => {
  first = await startTestServer()
  server = first
  beside = inject('dialect') === 'postgres' ? await join() : undefined
})
afterEach(async () => {
  await Promise.all([server, beside].map((each) => each?.host.close()))
  first.drop()
})

test('reports ten failed steps as an issue, even with restarts in between', async () => {
  const { admin } = first
  await admin.call('project_create', { body: { name: 'work', description: '' } })
  const query = { project: 'work' }
  const { id } = await admin.call('instance_create', {
    query,
    body: smallInstance('doomed', { start: true }),
  })
  await reaches(admin, id, 'running')
  const row = () =>
    server.db
      .selectFrom('instance')
      .select(['step_failures', 'time_step_failed', 'vm_id'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  const failures = async () => (await row()).step_failures
  const issues = async () => {
    const { items } = await server.admin.call('issue_list')
    return items.filter(({ kind }) => kind === 'steps_failing')
  }
  /** A server that starts looks for due rows. */
  const restart = async (values: object = {}) => {
    const reconcile_at = new Date().toISOString()
    const due = server.db.updateTable('instance').set({ ...values, reconcile_at })
    await due.where('id', '=', id).execute()
    await server.host.close()
    server = await join()
  }
  const { vm_id: machine } = await row()
  const writeSpec = (spec: string) =>
    server.db.updateTable('simulated_machine').set({ spec }).where('id', '=', machine!).execute()
  const { spec } = await server.db
    .selectFrom('simulated_machine')
    .select('spec')
    .where('id', '=', machine!)
    .executeTakeFirstOrThrow()

  // The fault is in the database, so every server meets it.
  await writeSpec('{}')
  await admin.call('instance_stop', { params: { instance: id } })
  await expect.poll(failures).toBeGreaterThan(0)
  const { time_step_failed: began } = await row()
  expect(await issues()).toEqual([])
  await restart({ step_failures: 7 })
  await expect.poll(failures).toBeGreaterThan(7)
  for (let counted = await failures(); counted < 10; counted = await failures()) {
    await restart()
    await expect.poll(failures).toBeGreaterThan(counted)
  }
  expect(await issues()).toMatchObject([{ id: `steps_failing:${id}`, time_began: began }])

  await writeSpec(spec)
  await restart()
  await reaches(server.admin, id, 'stopped')
  await expect.poll(failures).toBe(0)
  expect(await issues()).toEqual([])
})

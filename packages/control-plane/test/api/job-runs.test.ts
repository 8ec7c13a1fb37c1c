/** A job while it runs: interference, and its end. */
import { errors, JOB_ITEM_TIMEOUT_MS, jobMessages } from '@steading/api/rules'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '../support/caller.ts'
import type { TestServer } from '../support/harness.ts'
import { done, itemsOf, jobIs, outcomes, plan, start, targets } from '../support/jobs.ts'
import { reaches } from '../support/things.ts'
import { holdMachines, idsOf, startWork, workThings } from '../support/work.ts'

let server: TestServer
let admin: Caller
let projectId: string

beforeAll(async () => {
  ;({ server, admin, projectId } = await startWork())
})
afterAll(() => server.close())

const { fresh, stopped, running, stateOf } = workThings(() => admin)
afterEach(() => server.host.controlPlane.engines.faults.inject())

describe('while a job runs', () => {
  let holding: () => void
  beforeEach(() => {
    holding = () => {}
  })
  afterEach(() => holding())

  /** A job that stops one machine, which is held, and in a second stage acts on others. */
  async function staged(caller: Caller, step: 'stop' | 'delete', others: { id: string }[]) {
    const first = await running()
    const job = await plan(caller, 'stop', 'instance', idsOf([first, ...others]))
    await server.db
      .updateTable('job_item')
      .set({ stage: 1, step })
      .where('job_id', '=', job.id)
      .where('position', '>', 0)
      .execute()
    holding = holdMachines(server)
    await start(caller, job)
    await jobIs(caller, job, { counts: { running: 1, waiting: others.length } })
    return { job, first }
  }

  test('a stage waits for the previous one', async () => {
    const box = await running()
    const { job, first } = await staged(admin, 'stop', [box])
    expect(await stateOf(first.id)).toBe('stopping')
    expect(await stateOf(box.id)).toBe('running')
    holding()
    expect((await done(admin, job)).counts.succeeded).toBe(2)
    const [before, after] = await itemsOf(admin, job)
    expect(after!.time_started! >= before!.time_finished!).toBe(true)
  })

  test('the operation refuses items that a failed stage made impossible', async () => {
    const box = await running()
    const { job } = await staged(admin, 'delete', [box])
    holding()
    await done(admin, job)
    const { message } = await admin.refusal('instance_delete', { params: { instance: box.id } })
    expect((await outcomes(admin, job))[1]).toBe(`delete ${box.name}: failed, ${message}`)
    expect(await stateOf(box.id)).toBe('running')
  })

  test('the current permissions of its user apply', async () => {
    const maker = await server.createUser(fresh('maker'), {
      projects: { [projectId]: 'collaborator' },
    })
    const box = await running()
    const { job } = await staged(maker.caller, 'stop', [box])
    await server.db
      .updateTable('role_assignment')
      .set({ role_name: 'viewer' })
      .where('identity_id', '=', maker.id)
      .execute()
    holding()
    await done(maker.caller, job)
    expect((await outcomes(maker.caller, job))[1]).toBe(
      `stop ${box.name}: failed, ${errors.forbidden().message}`,
    )
    // It continues once the role is back.
    await server.db
      .updateTable('role_assignment')
      .set({ role_name: 'collaborator' })
      .where('identity_id', '=', maker.id)
      .execute()
    await maker.caller.call('job_retry', { params: { job: job.id } })
    expect((await done(maker.caller, job)).counts).toMatchObject({ succeeded: 2, failed: 0 })
    expect(await stateOf(box.id)).toBe('stopped')
  })

  test('it stops when its user is deleted', async () => {
    const maker = await server.createUser(fresh('maker'), {
      projects: { [projectId]: 'collaborator' },
    })
    const box = await running()
    const { job } = await staged(maker.caller, 'stop', [box])
    await server.db
      .updateTable('silo_user')
      .set({ time_deleted: new Date().toISOString() })
      .where('id', '=', maker.id)
      .execute()
    holding()
    const last = server.db
      .selectFrom('job_item')
      .select(['state', 'reason'])
      .where('job_id', '=', job.id)
      .where('position', '=', 1)
    await expect
      .poll(() => last.executeTakeFirstOrThrow())
      .toEqual({ state: 'cancelled', reason: jobMessages.abandoned })
    expect(await stateOf(box.id)).toBe('running')
  })

  test('it can be cancelled: started items end, the others wait for a retry', async () => {
    const boxes = [await running(), await running()]
    const { job } = await staged(admin, 'stop', boxes)
    const params = { job: job.id }
    expect((await admin.refusal('job_delete', { params })).message).toBe(
      jobMessages.notIn('deleted', 'running'),
    )
    const cancelled = await admin.call('job_cancel', { params })
    expect(cancelled.counts).toMatchObject({ running: 1, cancelled: 2 })
    holding()
    const end = await done(admin, job)
    expect(end.counts).toMatchObject({ succeeded: 1, cancelled: 2 })
    expect(await stateOf(boxes[0]!.id)).toBe('running')
    await admin.call('job_retry', { params })
    const retried = await done(admin, job)
    expect(retried.counts).toMatchObject({ succeeded: 3, cancelled: 0 })
    expect(retried.time_started).toBe(end.time_started)
    expect(await stateOf(boxes[0]!.id)).toBe('stopped')
  })

  test('a thing that ends up in another state has failed', async () => {
    const box = await stopped({ auto_restart_policy: 'never' })
    const job = await plan(admin, 'start', 'instance', targets(box.id))
    holding = holdMachines(server)
    await start(admin, job)
    await jobIs(admin, job, { counts: { running: 1 } })
    // As if it had crashed while booting.
    await server.db
      .updateTable('instance')
      .set({ time_run_state_updated: new Date(0).toISOString() })
      .where('id', '=', box.id)
      .execute()
    const { faults } = server.host.controlPlane.engines
    const { vm_id } = await server.db
      .selectFrom('instance')
      .select('vm_id')
      .where('id', '=', box.id)
      .executeTakeFirstOrThrow()
    holding()
    faults.inject((action, id) => {
      if (action === 'run' && id === vm_id) throw new Error('held')
    })
    await server.db
      .updateTable('instance')
      .set({ run_state: 'failed', vm_id: null, sled_id: null, reconcile_at: null })
      .where('id', '=', box.id)
      .execute()
    await done(admin, job)
    expect(await outcomes(admin, job)).toEqual([
      `start ${box.name}: failed, ${jobMessages.endedElsewhere('instance', 'failed', 'running')}`,
    ])
  })

  test('a thing that takes too long has failed', async () => {
    const box = await running()
    const job = await plan(admin, 'stop', 'instance', targets(box.id))
    holding = holdMachines(server)
    await start(admin, job)
    await jobIs(admin, job, { counts: { running: 1 } })
    await server.db
      .updateTable('job_item')
      .set({ time_started: new Date(Date.now() - JOB_ITEM_TIMEOUT_MS - 1).toISOString() })
      .where('job_id', '=', job.id)
      .execute()
    await done(admin, job)
    expect(await outcomes(admin, job)).toEqual([`stop ${box.name}: failed, ${jobMessages.tooLate}`])
    holding()
    await reaches(admin, box.id, 'stopped')
  })
})

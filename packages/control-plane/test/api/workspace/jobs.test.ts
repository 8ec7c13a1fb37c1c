/** Bulk jobs: their effects, and their visibility. */
import type { OperationId, Wire } from '@steading/api'
import {
  diskCannotSnapshot,
  instanceCannot,
  JOB_EVENT_MS,
  jobMessages,
  NAME_MAX,
  nameProblem,
} from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { EventStream } from '../../support/event-stream.ts'
import { startTestServer, type TestServer, type User } from '../../support/harness.ts'
import {
  done,
  itemsOf,
  jobBody,
  outcomes,
  plan,
  runJob,
  start,
  targets,
} from '../../support/jobs.ts'
import { instanceRow, storeRows } from '../../support/many.ts'
import { affinityBody, detachedDisk, keepNothing } from '../../support/things.ts'
import { idsOf, startWork, workThings } from '../../support/work.ts'

let server: TestServer
let admin: Caller
let projectId: string

beforeAll(async () => {
  ;({ server, admin, projectId } = await startWork())
  await keepNothing(admin)
})
afterAll(() => server.close())

const { query, fresh, stopped, running, aDisk, stateOf } = workThings(() => admin)

describe('a job', () => {
  test('starts, reboots and stops instances, and reports when that is done', async () => {
    const boxes = [await stopped(), await stopped(), await stopped()]
    for (const [action, state] of [
      ['start', 'running'],
      ['reboot', 'running'],
      ['stop', 'stopped'],
    ] as const) {
      const job = await runJob(admin, action, 'instance', idsOf(boxes))
      expect(job.counts).toMatchObject({ succeeded: 3, failed: 0 })
      expect(Date.parse(job.time_finished!)).toBeGreaterThanOrEqual(Date.parse(job.time_started!))
      for (const { id } of boxes) expect(await stateOf(id)).toBe(state)
      const items = await itemsOf(admin, job, { state: 'succeeded' })
      expect(items.every((item) => item.time_started! <= item.time_finished!)).toBe(true)
    }
    const reboots = server.db
      .selectFrom('instance')
      .select('reboot_count')
      .where(
        'id',
        'in',
        boxes.map(({ id }) => id),
      )
    expect(await reboots.execute()).toEqual(boxes.map(() => ({ reboot_count: 1 })))
  })

  test('skips refused items', async () => {
    const [up, down] = [await running(), await stopped()]
    const job = await runJob(admin, 'stop', 'instance', idsOf([up, down]))
    expect(await outcomes(admin, job)).toEqual([
      `stop ${down.name}: refused, ${instanceCannot('stop', 'stopped')}`,
      `stop ${up.name}: succeeded`,
    ])
    expect(await itemsOf(admin, job, { state: 'refused' })).toHaveLength(1)
    expect(await itemsOf(admin, job, { state: 'refused,succeeded' })).toHaveLength(2)
    expect(await itemsOf(admin, job, { state: 'failed,waiting' })).toEqual([])
  })

  test('snapshots every disk of instances that permits it', async () => {
    const blank = await aDisk()
    const long = await detachedDisk(admin, query, `d${'x'.repeat(NAME_MAX - 2)}1`)
    const longer = await detachedDisk(admin, query, `d${'x'.repeat(NAME_MAX - 2)}2`)
    const local = await aDisk({ disk_backend: { type: 'local' } })
    const disks = [blank, long, longer, local].map(({ name }) => ({ type: 'attach', name }))
    const box = await stopped({ disks })
    const bare = await stopped()
    const job = await runJob(admin, 'snapshot', 'instance', idsOf([box, bare]))
    const items = await itemsOf(admin, job)
    expect(items.map(({ thing, reason }) => [thing.kind, thing.name, reason])).toEqual([
      ['disk', local.name, diskCannotSnapshot('attached', 'local', false)],
      ['instance', bare.name, jobMessages.noDisks],
      ['disk', blank.name, null],
      ['disk', long.name, null],
      ['disk', longer.name, null],
    ])
    expect(job.counts).toMatchObject({ succeeded: 3, refused: 2 })
    expect(items.map(({ makes }) => makes !== null)).toEqual([false, false, true, true, true])
    for (const { makes, thing } of items.slice(2)) {
      expect(nameProblem(makes!)).toBeUndefined()
      const snapshot = await admin.call('snapshot_view', { params: { snapshot: makes! }, query })
      expect(snapshot).toMatchObject({ state: 'ready', disk_id: thing.id })
    }
  })

  test('snapshots disks, and deletes disks and snapshots until their bytes are gone', async () => {
    const disks = [await aDisk(), await aDisk()]
    const taken = await runJob(admin, 'snapshot', 'disk', idsOf(disks))
    expect(taken.counts.succeeded).toBe(2)
    const names = (await itemsOf(admin, taken)).map(({ makes }) => makes!)
    const snapshots = await Promise.all(
      names.map((snapshot) => admin.call('snapshot_view', { params: { snapshot }, query })),
    )
    for (const [kind, things] of [
      ['snapshot', snapshots],
      ['disk', disks],
    ] as const) {
      const job = await runJob(admin, 'delete', kind, idsOf(things))
      expect(job.counts.succeeded).toBe(2)
      const rows = await server.db
        .selectFrom(kind as 'disk')
        .select(['has_volume', 'reconcile_at'])
        .where(
          'id',
          'in',
          things.map(({ id }) => id),
        )
        .execute()
      expect(rows).toEqual(things.map(() => ({ has_volume: 0, reconcile_at: null })))
    }
  })

  test('deletes everything else', async () => {
    const ip = await admin.call('floating_ip_create', {
      query,
      body: { name: fresh('ip'), description: '' },
    })
    const group = await admin.call('affinity_group_create', {
      query,
      body: affinityBody(fresh('group')),
    })
    const anti = await admin.call('anti_affinity_group_create', {
      query,
      body: affinityBody(fresh('group')),
    })
    const box = await stopped()
    const image = await server.createImage(fresh('image'), projectId)
    const ofSilo = await server.createImage(fresh('image'), null)
    const empty = await admin.call('project_create', {
      body: { name: fresh('empty'), description: '' },
    })
    await server.db.deleteFrom('vpc').where('project_id', '=', empty.id).execute()
    const jobs = [
      jobBody('delete', 'floating_ip', targets(ip.id)),
      jobBody('delete', 'affinity_group', targets(group.id)),
      jobBody('delete', 'anti_affinity_group', targets(anti.id)),
      jobBody('delete', 'instance', targets(box.id)),
      jobBody('delete', 'image', targets(image.id)),
      jobBody('delete', 'image', targets(ofSilo.id), null),
      jobBody('delete', 'project', targets(empty.id)),
    ]
    for (const body of jobs) {
      const job = await admin.call('job_create', { body })
      await start(admin, job)
      await done(admin, job)
      expect((await outcomes(admin, job))[0]).toMatch(/^delete \S+: succeeded$/)
    }
    const gone: [OperationId, object][] = [
      ['floating_ip_view', { floating_ip: ip.id }],
      ['affinity_group_view', { affinity_group: group.id }],
      ['anti_affinity_group_view', { anti_affinity_group: anti.id }],
      ['instance_view', { instance: box.id }],
      ['image_view', { image: image.id }],
      ['image_view', { image: ofSilo.id }],
      ['project_view', { project: empty.id }],
    ]
    for (const [operation, params] of gone) {
      expect((await admin.refusal(operation, { params } as never)).status).toBe(404)
    }
  })

  test('is started once, even by two concurrent calls', async () => {
    const box = await stopped()
    const job = await plan(admin, 'start', 'instance', targets(box.id))
    const send = () => admin.send('POST', `/x/v1/jobs/${job.id}/start`)
    const answers = await Promise.all([send(), send(), send()])
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409])
    await done(admin, job)
    expect(await admin.refusal('job_start', { params: { job: job.id } })).toEqual({
      status: 409,
      error_code: 'Conflict',
      message: jobMessages.notIn('started', 'done'),
    })
  })

  test('that was only planned, or is done, cannot be cancelled, and a plan not retried', async () => {
    const job = await plan(admin, 'start', 'instance', targets((await stopped()).id))
    const params = { job: job.id }
    for (const [operation, verb] of [
      ['job_cancel', 'cancelled'],
      ['job_retry', 'retried'],
    ] as const) {
      expect((await admin.refusal(operation, { params })).message).toBe(
        jobMessages.notIn(verb, 'planned'),
      )
    }
    await start(admin, job)
    await done(admin, job)
    expect((await admin.refusal('job_cancel', { params })).status).toBe(409)
    expect((await admin.refusal('job_retry', { params })).message).toBe(jobMessages.nothingToRetry)
  })

  test('is listed once started, and removed when deleted', async () => {
    const { caller } = await server.createUser(fresh('lister'), {
      projects: { [projectId]: 'collaborator' },
    })
    const box = await stopped()
    const jobs: Wire.Job[] = []
    for (const action of ['start', 'stop', 'delete'] as const) {
      jobs.push(await runJob(caller, action, 'instance', targets(box.id)))
    }
    const sort_by = 'time_created_descending'
    const names = async (query: object) => {
      const page = await caller.call('job_list', { query })
      return [page.items.map(({ action }) => action), page.next_page] as const
    }
    expect((await names({}))[0]).toEqual(['start', 'stop', 'delete'])
    const [first, token] = await names({ sort_by, limit: 2 })
    expect(first).toEqual(['delete', 'stop'])
    expect((await names({ page_token: token }))[0]).toEqual(['start'])
    const params = { job: jobs[1]!.id }
    await caller.call('job_delete', { params })
    expect((await caller.refusal('job_view', { params })).status).toBe(404)
    expect((await names({}))[0]).toEqual(['start', 'delete'])
    const rows = () =>
      server.db.selectFrom('job').select('id').where('id', '=', params.job).execute()
    await expect.poll(rows).toEqual([])
  })
})

describe('the jobs of a user', () => {
  let maker: User
  let other: User
  beforeAll(async () => {
    const projects = { [projectId]: 'collaborator' } as const
    maker = await server.createUser('maker', { projects })
    other = await server.createUser('other', { projects, silo: 'admin', fleet: 'admin' })
  })

  test('do not exist for other users', async () => {
    const box = await stopped()
    const job = await runJob(maker.caller, 'start', 'instance', targets(box.id))
    const params = { job: job.id }
    for (const operation of [
      'job_view',
      'job_item_list',
      'job_start',
      'job_cancel',
      'job_retry',
      'job_delete',
    ] as const) {
      expect(await other.caller.refusal(operation, { params })).toEqual({
        status: 404,
        error_code: 'ObjectNotFound',
        message: `not found: job with id "${job.id}"`,
      })
    }
    expect((await other.caller.call('job_list')).items).toEqual([])
  })

  test('have events for their user only, a few times a second', async () => {
    const rows = Array.from({ length: 300 }, () => instanceRow(projectId, fresh('many')))
    await storeRows(server.db, 'instance', rows)
    const own = new EventStream(await maker.caller.fetch('/x/v1/events'))
    const others = new EventStream(await other.caller.fetch('/x/v1/events'))
    const job = await plan(maker.caller, 'delete', 'instance', idsOf(rows))
    await start(maker.caller, job)
    await done(maker.caller, job)
    const marker = await stopped()
    const until = async (stream: EventStream) => {
      const changes = []
      for (;;) {
        const change = await stream.change()
        if (change.resource_id === marker.id) break
        changes.push(change)
      }
      await stream.close()
      return changes.filter(({ resource }) => resource === 'jobs')
    }
    expect(await until(others)).toEqual([])
    // The stream may begin with the end of an earlier job.
    const changes = (await until(own)).filter(({ resource_id }) => resource_id === job.id)
    expect(changes[0]).toMatchObject({ action: 'create', name: 'delete', project_id: projectId })
    // Created, started and finished; in between as often as permitted.
    const progress = changes.slice(1, -1).map(({ time }) => Date.parse(time))
    expect(progress.length).toBeGreaterThan(0)
    for (const [index, time] of progress.entries()) {
      if (index > 0) expect(time - progress[index - 1]!).toBeGreaterThanOrEqual(JOB_EVENT_MS)
    }
  })
})

describe.runIf(inject('dialect') === 'postgres')('two processes on one database', () => {
  test('run every item once', async () => {
    const one = await startTestServer()
    const other = await startTestServer({ databaseUrl: one.databaseUrl, data: one.data })
    onTestFinished(async () => {
      await other.close()
      await one.close()
    })
    const { id } = await one.admin.call('project_create', {
      body: { name: 'work', description: '' },
    })
    const rows = Array.from({ length: 100 }, (_, i) => instanceRow(id, `i-${i}`))
    await storeRows(one.db, 'instance', rows)
    const job = await plan(one.admin, 'delete', 'instance', idsOf(rows))
    await start(one.admin, job)
    // Wakes the process that takes the call.
    const wake = async ({ admin: caller }: TestServer) => {
      const image = await one.createImage(fresh('image'), id)
      await caller.call('image_delete', { params: { image: image.id } })
    }
    // As if each had found the other's lease expired, several times.
    for (let round = 0; round < 5; round++) {
      await one.db
        .updateTable('job')
        .set({ lease_until: 0 })
        .where('id', '=', job.id)
        .where('state', '=', 'running')
        .execute()
      await Promise.all([wake(one), wake(other)])
    }
    await done(other.admin, job)
    const { counts } = await one.admin.call('job_view', { params: { job: job.id } })
    expect(counts).toMatchObject({ succeeded: 100, failed: 0 })
    const deletions = await one.db
      .selectFrom('event')
      .select('resource_id')
      .where('resource', '=', 'instances')
      .where('action', '=', 'delete')
      .execute()
    expect(deletions.map(({ resource_id }) => resource_id).sort()).toEqual(
      rows.map((row) => row.id).sort(),
    )
  })
})

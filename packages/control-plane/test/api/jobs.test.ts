/** Bulk jobs: what they plan and refuse, what they do, and what comes in between. */
import type { OperationId, Wire } from '@steading/api'
import {
  diskCannotSnapshot,
  errors,
  floatingIpCannotDelete,
  instanceActions,
  instanceCannot,
  JOB_EVENT_MS,
  JOB_ITEM_TIMEOUT_MS,
  jobMessages,
  jobTargetKinds,
  NAME_MAX,
  nameProblem,
  snapshotCannotDelete,
} from '@steading/api/rules'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  inject,
  onTestFinished,
  test,
} from 'vitest'
import type { Caller } from '../support/caller.ts'
import { EventStream } from '../support/event-stream.ts'
import { startTestServer, type TestServer, type User } from '../support/harness.ts'
import {
  done,
  itemsOf,
  jobBody,
  jobIs,
  outcomes,
  plan,
  runJob,
  start,
  targets,
} from '../support/jobs.ts'
import { instanceRow, storeRows } from '../support/many.ts'
import { affinityBody, detachedDisk, reaches, stoppedInstance } from '../support/things.ts'

let server: TestServer
let admin: Caller
const query = { project: 'work' }
let projectId: string

beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  const body = { name: 'work', description: '' }
  projectId = (await admin.call('project_create', { body })).id
})
afterAll(() => server.close())

let count = 0
const fresh = (word: string): string => `${word}-${count++}`
const stopped = (values: object = {}) => stoppedInstance(admin, query, fresh('box'), values)
async function running(values: object = {}): Promise<Wire.Instance> {
  const { id } = await stopped(values)
  await admin.call('instance_start', { params: { instance: id } })
  return reaches(admin, id, 'running')
}
const idsOf = (things: { id: string }[]) => targets(...things.map(({ id }) => id))
const stateOf = async (id: string) =>
  (await admin.call('instance_view', { params: { instance: id } })).run_state

/** Machines neither stop nor start until the function returned is called. */
function holdMachines(): () => void {
  const { faults } = server.host.controlPlane.engines
  faults.inject((action) => {
    if (action === 'stop' || action === 'run') throw new Error('held')
  })
  return () => faults.inject()
}
afterEach(() => server.host.controlPlane.engines.faults.inject())

describe('a plan', () => {
  test('says what would be done, and does nothing', async () => {
    const boxes = [await stopped(), await stopped()]
    const job = await plan(admin, 'start', 'instance', idsOf(boxes))
    expect(job).toMatchObject({
      action: 'start',
      kind: 'instance',
      targets: 2,
      name: null,
      project_id: projectId,
      project_name: 'work',
      state: 'planned',
      counts: { waiting: 2, refused: 0, running: 0, succeeded: 0, failed: 0, cancelled: 0 },
      time_started: null,
      time_finished: null,
    })
    expect(await itemsOf(admin, job)).toEqual(
      boxes.map(({ id, name }, position) => ({
        position,
        stage: 0,
        step: 'start',
        thing: { kind: 'instance', id, name },
        makes: null,
        state: 'waiting',
        reason: null,
        time_started: null,
        time_finished: null,
      })),
    )
    expect(await admin.call('job_view', { params: { job: job.id } })).toEqual(job)
    const listed = await admin.call('job_list')
    expect(listed.items.map(({ id }) => id)).not.toContain(job.id)
    expect(await stateOf(boxes[0]!.id)).toBe('stopped')
  })

  test('is named after its only target, also if the target is given twice', async () => {
    const box = await stopped()
    const job = await plan(admin, 'start', 'instance', targets(box.id, box.id.toUpperCase()))
    expect(job).toMatchObject({ targets: 1, name: box.name, counts: { waiting: 1 } })
  })

  test('refuses what the rules forbid, each with its reason', async () => {
    const up = await running()
    const down = await stopped()
    const both = idsOf([up, down])
    const reasons = async (action: 'start' | 'stop' | 'reboot' | 'delete') =>
      (await itemsOf(admin, await plan(admin, action, 'instance', both))).map((item) => item.reason)
    // What is refused comes first.
    expect(await reasons('start')).toEqual([instanceActions.start.otherwise, null])
    expect(await reasons('stop')).toEqual([instanceActions.stop.otherwise, null])
    expect(await reasons('reboot')).toEqual([instanceActions.reboot.otherwise, null])
    expect(await reasons('delete')).toEqual([instanceActions.delete.otherwise, null])
  })

  test('refuses to delete disks, addresses, snapshots and projects that are in use', async () => {
    const disk = await detachedDisk(admin, query, fresh('disk'))
    const loose = await detachedDisk(admin, query, fresh('disk'))
    const box = await stopped({ disks: [{ type: 'attach', name: disk.name }] })
    const body = { name: fresh('ip'), description: '' }
    const ip = await admin.call('floating_ip_create', { query, body })
    await admin.call('floating_ip_attach', {
      params: { floating_ip: ip.id },
      body: { kind: 'instance', parent: box.id },
    })
    const snapshot = await server.createSnapshot(fresh('snap'), projectId)
    await server.db
      .updateTable('snapshot')
      .set({ state: 'creating' })
      .where('id', '=', snapshot.id)
      .execute()
    const reasons = async (...body: Parameters<typeof jobBody>) =>
      (await itemsOf(admin, await plan(admin, ...body))).map((item) => item.reason)
    expect(await reasons('delete', 'disk', idsOf([disk, loose]))).toEqual([
      'Disk must be detached before it can be deleted',
      null,
    ])
    expect(await reasons('delete', 'floating_ip', targets(ip.id))).toEqual([
      floatingIpCannotDelete(box.id),
    ])
    expect(await reasons('delete', 'snapshot', targets(snapshot.id))).toEqual([
      snapshotCannotDelete('creating'),
    ])
    const { message } = await admin.refusal('project_delete', { params: { project: projectId } })
    expect(await reasons('delete', 'project', targets(projectId))).toEqual([message])
  })

  test('refuses what the caller has no permission for', async () => {
    const { caller } = await server.createUser(fresh('viewer'), {
      projects: { [projectId]: 'viewer' },
    })
    const box = await stopped({ disks: [{ type: 'attach', name: (await aDisk()).name }] })
    const forbidden = errors.forbidden().message
    for (const action of ['start', 'snapshot', 'delete'] as const) {
      const job = await plan(caller, action, 'instance', targets(box.id))
      expect((await itemsOf(caller, job)).map((item) => item.reason)).toEqual([forbidden])
    }
    const image = await server.createImage(fresh('image'), projectId)
    const job = await plan(caller, 'delete', 'image', targets(image.id))
    expect(await outcomes(caller, job)).toEqual([`delete ${image.name}: refused, ${forbidden}`])
    const whole = await plan(caller, 'delete', 'project', targets(projectId))
    expect(await outcomes(caller, whole)).toEqual([`delete work: refused, ${forbidden}`])
  })

  test('with only refused items cannot be started', async () => {
    const job = await plan(admin, 'stop', 'instance', targets((await stopped()).id))
    expect(await admin.refusal('job_start', { params: { job: job.id } })).toEqual({
      status: 400,
      error_code: 'InvalidRequest',
      message: jobMessages.nothingToDo,
    })
  })
})

const aDisk = (values: object = {}) => detachedDisk(admin, query, fresh('disk'), values)

describe('a job is not planned', () => {
  const refusal = (body: Wire.JobCreate, caller = admin) => caller.refusal('job_create', { body })
  const invalid = (message: string) => ({ status: 400, error_code: 'InvalidRequest', message })

  test('for an action that its kind does not have', async () => {
    const body = jobBody('start', 'disk', targets((await aDisk()).id))
    expect(await refusal(body)).toEqual(invalid('action: disks have no start'))
  })

  test('for nothing', async () => {
    expect(await refusal(jobBody('start', 'instance', targets()))).toEqual(
      invalid('target: there are no instances to act on'),
    )
    const none = { type: 'matching', query: { search: 'nobody-is-called-that' } } as const
    expect(await refusal(jobBody('start', 'instance', none))).toEqual(
      invalid('target: there are no instances to act on'),
    )
  })

  test('for what is not there, is elsewhere, or may not be seen', async () => {
    const box = await stopped()
    const body = { name: fresh('other'), description: '' }
    const other = await admin.call('project_create', { body })
    const missing = (kind: string, id: string) => ({
      status: 404,
      error_code: 'ObjectNotFound',
      message: `not found: ${kind} with id "${id}"`,
    })
    const nobody = crypto.randomUUID()
    expect(await refusal(jobBody('start', 'instance', targets(box.id, nobody)))).toEqual(
      missing('instance', nobody),
    )
    expect(await refusal(jobBody('start', 'instance', targets(box.id), other.id))).toEqual(
      missing('instance', box.id),
    )
    const stranger = await server.createUser(fresh('stranger'))
    expect(
      await refusal(jobBody('start', 'instance', targets(box.id), projectId), stranger.caller),
    ).toEqual(missing('project', projectId))
    expect(
      await refusal(jobBody('delete', 'project', targets(projectId)), stranger.caller),
    ).toEqual(missing('project', projectId))
    const image = await server.createImage(fresh('image'), null)
    expect(
      await refusal(jobBody('delete', 'image', targets(image.id), null), stranger.caller),
    ).toEqual(missing('image', image.id))
  })

  test('without a project, or with one, where it must be otherwise', async () => {
    const box = await stopped()
    expect(await refusal(jobBody('start', 'instance', targets(box.id), null))).toEqual(
      invalid('project: needed for a job about instances'),
    )
    expect(await refusal(jobBody('delete', 'project', targets(projectId), 'work'))).toEqual(
      invalid('project: not for a job about projects'),
    )
  })

  test('with what is only for deletions', async () => {
    const body = jobBody('start', 'instance', targets((await stopped()).id))
    expect(await refusal({ ...body, chain: true })).toEqual(invalid('chain: only to delete'))
    expect(await refusal({ ...body, with: ['disk'] })).toEqual(invalid('with: only to delete'))
  })
})

describe('targets that match', () => {
  test('are those that the list finds, by name', async () => {
    const word = fresh('match')
    const boxes = []
    for (const name of ['c', 'a', 'b']) {
      boxes.push(await stoppedInstance(admin, query, `${word}-${name}`))
    }
    await admin.call('instance_start', { params: { instance: boxes[0]!.id } })
    await reaches(admin, boxes[0]!.id, 'running')
    const searched = { search: word.toUpperCase(), state: 'stopped,failed' }
    const list = await admin.call('instance_search', { query: { ...query, ...searched } })
    const target = { type: 'matching', query: searched } as const
    const job = await plan(admin, 'start', 'instance', target)
    expect((await itemsOf(admin, job)).map(({ thing }) => thing.id)).toEqual(
      list.items.map(({ id }) => id),
    )
    expect(list.items.map(({ name }) => name)).toEqual([`${word}-a`, `${word}-b`])
  })

  test('can be of every kind', async () => {
    const [word, other] = [fresh('kind'), fresh('apart')]
    const disk = await detachedDisk(admin, query, `${other}-disk`)
    for (const name of [word, other]) {
      const about = { name, description: '' }
      await stoppedInstance(admin, query, name)
      await detachedDisk(admin, query, name)
      await admin.call('snapshot_create', { query, body: { ...about, disk: disk.id } })
      await server.createImage(name, projectId)
      await server.createImage(`${name}-silo`, null)
      await admin.call('floating_ip_create', { query, body: about })
      await admin.call('affinity_group_create', { query, body: affinityBody(name) })
      await admin.call('anti_affinity_group_create', { query, body: affinityBody(`${name}-anti`) })
      await admin.call('project_create', { body: about })
    }
    const target = { type: 'matching', query: { search: word } } as const
    for (const kind of jobTargetKinds) {
      const found = await itemsOf(admin, await plan(admin, 'delete', kind, target))
      const name = kind === 'anti_affinity_group' ? `${word}-anti` : word
      expect(found.map(({ thing }) => thing)).toEqual([
        { kind, id: expect.any(String) as string, name },
      ])
    }
    const ofSilo = await itemsOf(admin, await plan(admin, 'delete', 'image', target, null))
    expect(ofSilo.map(({ thing }) => thing.name)).toEqual([`${word}-silo`])
  })

  test('are many more than a page', async () => {
    const body = { name: fresh('large'), description: '' }
    const large = await admin.call('project_create', { body })
    const rows = Array.from({ length: 4_001 }, (_, i) => instanceRow(large.id, `i-${i}`))
    await storeRows(server.db, 'instance', rows)
    const target = { type: 'matching', query: {} } as const
    const job = await plan(admin, 'delete', 'instance', target, large.name)
    expect(job).toMatchObject({ targets: 4_001, counts: { waiting: 4_001 } })
    const params = { job: job.id }
    const names: string[] = []
    let page = await admin.call('job_item_list', { params, query: { limit: 1_500 } })
    while (page.items.length > 0) {
      names.push(...page.items.map(({ thing }) => thing.name))
      page = await admin.call('job_item_list', { params, query: { page_token: page.next_page! } })
    }
    expect(names).toEqual(rows.map(({ name }) => name).sort())
    await admin.call('job_delete', { params })
    const rest = server.db.selectFrom('job_item').select('position').where('job_id', '=', job.id)
    await expect.poll(() => rest.execute(), { timeout: 10_000 }).toEqual([])
  })

  test('of a search that the list refuses are refused like it', async () => {
    const refused = async (search: Record<string, string>) => {
      const body = jobBody('start', 'instance', { type: 'matching', query: search })
      return admin.refusal('job_create', { body })
    }
    const list = (search: object) =>
      admin.refusal('instance_search', { query: { ...query, ...search } as never })
    expect(await refused({ state: 'asleep' })).toEqual(await list({ state: 'asleep' }))
    const long = 'x'.repeat(300)
    expect(await refused({ search: long })).toEqual(await list({ search: long }))
    expect(await refused({ colour: 'red' })).toEqual({
      status: 400,
      error_code: 'InvalidRequest',
      message: 'target: unknown query parameter `colour`, expected one of `search`, `state`',
    })
  })

  test('are projects that the caller may list', async () => {
    const body = jobBody('delete', 'project', { type: 'matching', query: { search: 'work' } })
    const { caller } = await server.createUser(fresh('stranger'))
    expect(await caller.refusal('job_create', { body })).toMatchObject({ status: 403 })
    const viewer = await server.createUser(fresh('viewer'), { silo: 'viewer' })
    const job = await viewer.caller.call('job_create', { body })
    expect(job).toMatchObject({ name: 'work', counts: { refused: 1 } })
  })
})

describe('a job', () => {
  test('starts, reboots and stops instances, and says when they are there', async () => {
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

  test('leaves out what was refused', async () => {
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

  test('snapshots every disk of instances that can be', async () => {
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

  test('deletes everything else that there is', async () => {
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

  test('is started once, also by two calls at once', async () => {
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

  test('that was only planned, or is done, is not cancelled, and a plan not retried', async () => {
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

  test('is listed once it was started, and removed when it is deleted', async () => {
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
    await expect.poll(rows, { timeout: 10_000 }).toEqual([])
  })
})

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
    holding = holdMachines()
    await start(caller, job)
    await jobIs(caller, job, { counts: { running: 1, waiting: others.length } })
    return { job, first }
  }

  test('a stage waits for the one before', async () => {
    const box = await running()
    const { job, first } = await staged(admin, 'stop', [box])
    expect(await stateOf(first.id)).toBe('stopping')
    expect(await stateOf(box.id)).toBe('running')
    holding()
    expect((await done(admin, job)).counts.succeeded).toBe(2)
    const [before, after] = await itemsOf(admin, job)
    expect(after!.time_started! >= before!.time_finished!).toBe(true)
  })

  test('the operation refuses what a failed stage has left impossible', async () => {
    const box = await running()
    const { job } = await staged(admin, 'delete', [box])
    holding()
    await done(admin, job)
    const { message } = await admin.refusal('instance_delete', { params: { instance: box.id } })
    expect((await outcomes(admin, job))[1]).toBe(`delete ${box.name}: failed, ${message}`)
    expect(await stateOf(box.id)).toBe('running')
  })

  test('it uses the permissions that its user has when it runs', async () => {
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
    // With the role it goes on.
    await server.db
      .updateTable('role_assignment')
      .set({ role_name: 'collaborator' })
      .where('identity_id', '=', maker.id)
      .execute()
    await maker.caller.call('job_retry', { params: { job: job.id } })
    expect((await done(maker.caller, job)).counts).toMatchObject({ succeeded: 2, failed: 0 })
    expect(await stateOf(box.id)).toBe('stopped')
  })

  test('it stops when its user has been deleted', async () => {
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
      .poll(() => last.executeTakeFirstOrThrow(), { timeout: 10_000 })
      .toEqual({ state: 'failed', reason: errors.unauthorized().message })
    expect(await stateOf(box.id)).toBe('running')
  })

  test('it can be cancelled: items that have begun end, the others do not run until a retry', async () => {
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

  test('something that ends elsewhere has failed', async () => {
    const box = await stopped({ auto_restart_policy: 'never' })
    const job = await plan(admin, 'start', 'instance', targets(box.id))
    holding = holdMachines()
    await start(admin, job)
    await jobIs(admin, job, { counts: { running: 1 } })
    // As if it had died while it came up.
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

  test('something that takes too long has failed', async () => {
    const box = await running()
    const job = await plan(admin, 'stop', 'instance', targets(box.id))
    holding = holdMachines()
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

  test('have events for their maker only, a few times a second', async () => {
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
    const changes = await until(own)
    expect(changes.every(({ resource_id }) => resource_id === job.id)).toBe(true)
    expect(changes[0]).toMatchObject({ action: 'create', name: 'delete', project_id: projectId })
    // Made, started, and over; in between as often as may be.
    const progress = changes.slice(1, -1).map(({ time }) => Date.parse(time))
    expect(progress.length).toBeGreaterThan(0)
    for (const [index, time] of progress.entries()) {
      if (index > 0) expect(time - progress[index - 1]!).toBeGreaterThanOrEqual(JOB_EVENT_MS)
    }
  })
})

describe.runIf(inject('dialect') === 'postgres')('two processes on one database', () => {
  test('do every item once', async () => {
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
    // As if each had found the lease of the other run out, several times.
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

/** Schedules: what they accept, when and as whom they run, and which snapshots they keep. */
import type { Wire } from '@steading/api'
import {
  errors,
  INSTANCE_MAX_DISKS,
  SCHEDULE_RUNS_KEPT,
  SCHEDULE_TAGGED_MAX,
  SCHEDULE_TARGETS_MAX,
  scheduleMessages,
} from '@steading/api/rules'
import type { Selectable } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { JobItemTable } from '../../../src/resources/workspace/jobs/table.ts'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { diskRow, storeRows } from '../../support/many.ts'
import { latestRun, ran, results, scheduleBody, setDue } from '../../support/schedules.ts'
import { detachedDisk, reaches, stoppedInstance, until } from '../../support/things.ts'

let server: TestServer
let admin: Caller
let projectId: string
const query = { project: 'work' }
const DAY_MS = 24 * 3_600_000
const says = scheduleMessages

beforeAll(async () => {
  const century = 36_500 * DAY_MS
  server = await startTestServer({ sessionIdleMs: century, sessionAbsoluteMs: century })
  admin = server.admin
  const project = await admin.call('project_create', { body: { name: 'work', description: '' } })
  projectId = project.id
  await admin.call('project_create', { body: { name: 'elsewhere', description: '' } })
})
afterAll(() => server.close())

let count = 0
const fresh = (word = 'it') => `${word}-${count++}`
const disk = () => detachedDisk(admin, query, fresh('disk'))
type Body = Parameters<typeof scheduleBody>[0]
const create = (values: Omit<Body, 'name'> & { name?: string }, caller = admin) =>
  caller.call('schedule_create', { query, body: scheduleBody({ name: fresh(), ...values }) })
const refused = async (values: object) => {
  const body = { ...scheduleBody({ name: fresh(), disks: ['none'] }), ...values }
  return (await admin.refusal('schedule_create', { query, body })).message
}
const view = ({ id }: { id: string }) => admin.call('schedule_view', { params: { schedule: id } })
const update = ({ id }: { id: string }, body: Wire.ScheduleUpdate, caller = admin) =>
  caller.call('schedule_update', { params: { schedule: id }, body })
const run = ({ id }: { id: string }, caller = admin) =>
  caller.call('schedule_run', { params: { schedule: id } })
const runs = async ({ id }: { id: string }) =>
  (
    await admin.call('schedule_run_list', {
      params: { schedule: id },
      query: { sort_by: 'time_and_id_descending' },
    })
  ).items
const snapshotsOf = async (id: string) => {
  const { items } = await admin.call('snapshot_list', { query: { ...query, limit: 1000 } })
  return items.filter((one) => one.disk_id === id).map(({ name }) => name)
}
/** Runs a schedule on request, and waits for the end. */
async function runAndWait(schedule: Wire.Schedule): Promise<Wire.ScheduleRunDetails> {
  const { number } = await run(schedule)
  await ran(admin, schedule, number)
  return latestRun(admin, schedule)
}
/** Makes schedules due at a time of the past, as after an outage of all servers. */
async function makeDue(time_next: string, ...schedules: { id: string }[]): Promise<void> {
  const ids = schedules.map(({ id }) => id)
  await setDue(server.db, time_next, ids)
  await wake()
}
/** A change of another schedule, which wakes the reconciler. */
let bell: Wire.Schedule | undefined
async function wake(): Promise<void> {
  bell ??= await create({ disks: [(await disk()).name], enabled: false })
  await update(bell, { description: fresh() })
}

describe('a schedule', () => {
  test('is created, changed, paused, resumed and deleted', async () => {
    const { name } = await disk()
    const schedule = await create({ disks: [name, name], retention: { last: 3 } })
    expect(schedule).toMatchObject({
      action: 'snapshot',
      state: 'active',
      recurrence: { type: 'cron', expression: '0 2 * * *', time_zone: 'UTC' },
      retention: { last: 3, daily: 0, weekly: 0, monthly: 0, yearly: 0 },
      user_name: 'admin',
      instances: 0,
      disks: 1,
      last_run: null,
    })
    expect(schedule.time_next).toMatch(/T02:00:00.000Z$/)
    const paused = await update(schedule, { enabled: false })
    expect(paused).toMatchObject({ state: 'paused', time_next: null })
    expect(await update(schedule, { enabled: true })).toMatchObject({
      state: 'active',
      time_next: schedule.time_next,
    })
    const hourly = { type: 'cron', expression: '0 * * * *', time_zone: 'Asia/Kolkata' } as const
    const changed = await update(schedule, { recurrence: hourly, retention: null })
    expect(changed).toMatchObject({ recurrence: hourly, retention: null })
    expect(changed.time_next).toMatch(/:30:00.000Z$/)
    await admin.call('schedule_delete', { params: { schedule: schedule.id } })
    expect(
      (await admin.refusal('schedule_view', { params: { schedule: schedule.id } })).status,
    ).toBe(404)
  })

  test('refuses recurrences, retentions and targets that cannot work', async () => {
    const { name } = await disk()
    const elsewhere = await detachedDisk(admin, { project: 'elsewhere' }, fresh('far'))
    const cron = (expression: string, time_zone = 'UTC') => ({
      recurrence: { type: 'cron', expression, time_zone },
    })
    const label = (field: string, message: string) => `unsupported value for "${field}": ${message}`
    expect(await refused(cron('* * * * *'))).toBe(
      label('recurrence.expression', says.cronTooOften(15)),
    )
    expect(await refused(cron('0 2 * * *', 'Moon/Sea'))).toBe(
      label('recurrence.time_zone', says.timeZone),
    )
    expect(await refused({ recurrence: { type: 'once', time_due: '2020-01-01T00:00:00Z' } })).toBe(
      label('recurrence.time_due', says.timePast),
    )
    expect(await refused({ retention: {} })).toBe(label('retention', says.retentionNone))
    expect(await refused({ retention: { last: 101 } })).toBe(
      label('retention', says.retentionMax('last')),
    )
    expect(await refused({ action: 'stop', retention: { last: 1 } })).toBe(
      label('retention', says.retentionAction),
    )
    expect(await refused({ targets: [] })).toBe(label('targets', says.noTargets))
    expect(await refused({ action: 'stop', targets: [{ kind: 'disk', disk: name }] })).toBe(
      label('targets', says.targetKind('stop')),
    )
    const many = Array.from({ length: SCHEDULE_TARGETS_MAX + 1 }, () => ({
      kind: 'disk',
      disk: name,
    }))
    expect(await refused({ targets: many })).toBe(label('targets', says.tooManyTargets))
    expect(await refused({ targets: [{ kind: 'disk', disk: elsewhere.id }] })).toBe(
      label('targets', says.otherProject),
    )
    expect(await refused({ targets: [{ kind: 'disk', disk: 'absent' }] })).toBe(
      'not found: disk with name "absent"',
    )
  })

  test('covers a disk by itself or by its instance, and is found by both', async () => {
    const data = fresh('data')
    const attached = { type: 'create', ...(await bodyOfDisk(data)) }
    const box = await stoppedInstance(admin, query, fresh('box'), { disks: [attached] })
    const { id } = await admin.call('disk_view', { params: { disk: data }, query })
    const direct = await create({ disks: [data] })
    const whole = await create({ instances: [box.name] })
    const stops = await create({ action: 'stop', instances: [box.name] })
    const covering = async (asked: { instance: string } | { disk: string }) =>
      (await admin.call('covering_schedule_list', { query: asked })).items.map((one) => one.id)
    expect(await covering({ disk: id })).toEqual([direct.id, whole.id])
    expect(await covering({ instance: box.id })).toEqual([whole.id, stops.id])
    const targets = await admin.call('schedule_target_list', { params: { schedule: whole.id } })
    expect(targets.items).toEqual([{ kind: 'instance', id: box.id, name: box.name }])
  })
})

const bodyOfDisk = async (name: string) => ({
  name,
  description: '',
  size: 2 ** 30,
  disk_backend: { type: 'distributed', disk_source: { type: 'blank', block_size: 512 } },
})

describe('a run', () => {
  test('takes snapshots of all disks of an instance together, and of a disk once', async () => {
    const names = [fresh('boot'), fresh('data')]
    const disks = await Promise.all(
      names.map(async (name) => ({ type: 'create', ...(await bodyOfDisk(name)) })),
    )
    const box = await stoppedInstance(admin, query, fresh('box'), { disks })
    const alone = await disk()
    const schedule = await create({ instances: [box.name], disks: [names[0]!, alone.name] })
    const done = await runAndWait(schedule)
    expect(results(done)).toEqual([
      `snapshot ${names[0]}: succeeded`,
      `snapshot ${names[1]}: succeeded`,
      `snapshot ${alone.name}: succeeded`,
    ])
    expect(done).toMatchObject({ cause: 'requested', state: 'succeeded', succeeded: 3, failed: 0 })
    const [first, second] = done.items
    expect(first).toMatchObject({ instance_name: box.name })
    const made = await Promise.all(
      [first, second].map((item) =>
        admin.call('snapshot_view', { params: { snapshot: item!.made_id! } }),
      ),
    )
    // One transaction asked for both.
    expect(made[0]!.time_created).toBe(made[1]!.time_created)
    expect(made[0]!.name).toBe(first!.made_name)
    expect(made[0]!.name).toMatch(new RegExp(`^${names[0]}-${schedule.name}-\\d{8}-\\d{6}$`))
  })

  test('acts on the resources that have its tags when it begins', async () => {
    const tag = (kind: 'instance' | 'disk', thing: string, ...set: string[]) =>
      admin.call('tags_change', { params: { kind, thing }, body: { set } })
    const key = fresh('backup')
    const data = fresh('data')
    const attached = { type: 'create', ...(await bodyOfDisk(data)) }
    const box = await stoppedInstance(admin, query, fresh('box'), { disks: [attached] })
    const [nightly, weekly, far] = [
      await disk(),
      await disk(),
      await detachedDisk(admin, { project: 'elsewhere' }, fresh('far')),
    ]
    await tag('instance', box.id, `${key}:nightly`)
    await tag('disk', nightly.id, `${key}:nightly`)
    await tag('disk', weekly.id, `${key}:weekly`)
    await tag('disk', far.id, `${key}:nightly`)
    // A disk that it names as well is snapshotted once.
    const schedule = await create({ tags: [`${key}:nightly`], disks: [nightly.name] })
    expect(schedule).toMatchObject({ instances: 0, disks: 1, tags: 1 })
    const all = await create({ tags: [key] })
    expect(results(await runAndWait(schedule))).toEqual([
      `snapshot ${data}: succeeded`,
      `snapshot ${nightly.name}: succeeded`,
    ])
    expect(results(await runAndWait(all)).toSorted()).toEqual(
      [data, nightly.name, weekly.name].map((name) => `snapshot ${name}: succeeded`).toSorted(),
    )
    const covering = async (asked: { instance: string } | { disk: string }) =>
      (await admin.call('covering_schedule_list', { query: asked })).items.map((one) => one.id)
    expect(await covering({ instance: box.id })).toEqual([schedule.id, all.id])
    expect(await covering({ disk: weekly.id })).toEqual([all.id])
    expect(await covering({ disk: far.id })).toEqual([])
    const targets = await admin.call('schedule_target_list', { params: { schedule: all.id } })
    expect(targets.items).toEqual([{ kind: 'tag', id: null, name: key }])

    const off = await create({ action: 'stop', tags: [`${key}:weekly`] })
    const failed = await run(off)
    expect(failed).toMatchObject({ state: 'failed', reason: says.nothingTagged })
    await tag('instance', box.id, `${key}:weekly`)
    await admin.call('instance_start', { params: { instance: box.id } })
    await reaches(admin, box.id, 'running')
    expect(results(await runAndWait(off))).toEqual([`stop ${box.name}: succeeded`])
    expect((await reaches(admin, box.id, 'stopped')).run_state).toBe('stopped')
  })

  test('fails if its tags stand for too many', async () => {
    const place = { kind: 'disk' as const, parent_id: projectId, project_id: projectId }
    const rows = Array.from({ length: SCHEDULE_TAGGED_MAX + 1 }, () =>
      diskRow(projectId, fresh('many')),
    )
    await storeRows(server.db, 'disk', rows)
    const key = fresh('crowd')
    await storeRows(
      server.db,
      'tag',
      rows.map(({ id }) => ({ thing_id: id, ...place, silo_id: server.siloId, key, value: '' })),
    )
    const { state, reason } = await run(await create({ tags: [key] }))
    expect([state, reason]).toEqual(['failed', says.tooManyTagged('disk')])
  })

  test('starts and stops instances, whatever their state', async () => {
    const [one, other] = [fresh('box'), fresh('box')]
    const started = await stoppedInstance(admin, query, one)
    const stopped = await stoppedInstance(admin, query, other)
    await admin.call('instance_start', { params: { instance: started.id } })
    await reaches(admin, started.id, 'running')
    const start = await create({ action: 'start', instances: [one, other] })
    expect((await runAndWait(start)).state).toBe('succeeded')
    await reaches(admin, stopped.id, 'running')
    const stop = await create({ action: 'stop', instances: [one, other] })
    expect((await runAndWait(stop)).state).toBe('succeeded')
    await reaches(admin, started.id, 'stopped')
    await reaches(admin, stopped.id, 'stopped')
  })

  test('that was missed during an outage is made up for once', async () => {
    const { id, name } = await disk()
    const schedule = await create({
      disks: [name],
      recurrence: { type: 'cron', expression: '*/15 * * * *', time_zone: 'UTC' },
    })
    await makeDue('2026-01-01T00:00:00.000Z', schedule)
    const after = await ran(admin, schedule, 1)
    const [only, ...more] = await runs(schedule)
    expect(more).toEqual([])
    expect(only).toMatchObject({ cause: 'due', time_due: '2026-01-01T00:00:00.000Z' })
    expect(Date.parse(after.time_next!)).toBeGreaterThan(Date.now())
    expect(await snapshotsOf(id)).toHaveLength(1)
  })

  test('of a one-time action ends the schedule', async () => {
    const { id, name } = await disk()
    const [time, past] = ['2999-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z']
    const schedule = await create({ disks: [name], recurrence: { type: 'once', time_due: time } })
    expect(schedule.time_next).toBe(time)
    const { id: scheduleId } = schedule
    const once = { time_once: past }
    await server.db.updateTable('schedule').set(once).where('id', '=', scheduleId).execute()
    await makeDue(past, schedule)
    expect(await ran(admin, schedule, 1)).toMatchObject({ state: 'ended', time_next: null })
    expect(await snapshotsOf(id)).toHaveLength(1)
    const params = { schedule: schedule.id }
    const { message } = await admin.refusal('schedule_update', { params, body: { enabled: true } })
    expect(message).toBe(says.ended)
  })

  test('does not begin before the last one has ended', async () => {
    const box = await stoppedInstance(admin, query, fresh('box'))
    const schedule = await create({ action: 'start', instances: [box.name] })
    await server.db
      .updateTable('schedule')
      .set({ last_result: 'running', runs: 7 })
      .where('id', '=', schedule.id)
      .execute()
    const refusal = await admin.refusal('schedule_run', { params: { schedule: schedule.id } })
    expect(refusal).toMatchObject({ status: 409, message: says.running(7) })
  })

  test('is in the audit log with its schedule and its user', async () => {
    const schedule = await create({ disks: [(await disk()).name] })
    const { id, items } = await runAndWait(schedule)
    const search = `schedule ${schedule.name}`
    const [entry] = (await admin.call('audit_entry_list', { query: { search } })).items
    expect(entry).toMatchObject({
      operation_id: 'snapshot_create',
      request_id: id,
      request_uri: `/x/v1/schedules/${schedule.id}/runs/${id}`,
      user_agent: `schedule ${schedule.name}`,
    })
    expect(entry!.user?.display_name).toBe('admin')
    expect(entry!.target?.id).toBe(items[0]!.made_id)
    const history = await admin.call('history_list', {
      query: { kind: 'schedule', id: schedule.id },
    })
    expect(history.items.map((one) => one.operation_id)).toContain('snapshot_create')
  })

  test('leaves only the latest ones in the history', async () => {
    const schedule = await create({ disks: [(await disk()).name] })
    await runAndWait(schedule)
    await server.db
      .updateTable('schedule')
      .set({ runs: SCHEDULE_RUNS_KEPT })
      .where('id', '=', schedule.id)
      .execute()
    await runAndWait(schedule)
    expect((await runs(schedule)).map(({ number }) => number)).toEqual([SCHEDULE_RUNS_KEPT + 1])
  })

  test('of a deleted schedule ends with it, and its snapshots stay', async () => {
    const { id, name } = await disk()
    const schedule = await create({ disks: [name], retention: { last: 1 } })
    await run(schedule)
    await admin.call('schedule_delete', { params: { schedule: schedule.id } })
    const left = await server.db
      .selectFrom('schedule_run')
      .where('schedule_id', '=', schedule.id)
      .selectAll()
      .execute()
    expect(left).toEqual([])
    const again = await create({
      name: schedule.name,
      disks: [name],
      retention: { last: 1 },
    })
    await runAndWait(again)
    expect((await snapshotsOf(id)).length).toBeGreaterThanOrEqual(1)
  })
})

type Item = Selectable<JobItemTable>

describe('an interrupted run', () => {
  /** A run as a server that was killed in the middle of it leaves it. */
  async function interrupted(
    items: (Pick<Item, 'step' | 'thing_id'> & Partial<Item>)[],
    { user_id, ...values }: Partial<Body> & { user_id?: string } = {},
  ): Promise<Wire.Schedule> {
    const schedule = await create({ disks: [(await disk()).name], enabled: false, ...values })
    const time = new Date().toISOString()
    const id = crypto.randomUUID()
    await server.db
      .insertInto('schedule_run')
      .values({
        id,
        schedule_id: schedule.id,
        number: 1,
        cause: 'due',
        time_due: time,
        time_started: time,
        time_finished: null,
        state: 'running',
        reason: null,
        user_id: user_id ?? schedule.user_id,
        token_id: null,
        user_name: '',
        succeeded: 0,
        failed: 0,
        retained: 0,
      })
      .execute()
    await storeRows(
      server.db,
      'job_item',
      items.map((item, position) => ({
        job_id: id,
        position,
        stage: 0,
        thing_kind: 'instance' as const,
        thing_name: `thing-${position}`,
        thing_inside: '',
        makes: null,
        needs_position: null,
        made_id: null,
        state: 'waiting' as const,
        reason: null,
        time_started: null,
        time_finished: null,
        ...item,
      })),
    )
    await server.db
      .updateTable('schedule')
      .set({
        runs: 1,
        last_run_id: id,
        last_result: 'running',
        time_last_run: time,
        reconcile_at: time,
      })
      .where('id', '=', schedule.id)
      .execute()
    await wake()
    return schedule
  }
  const outcome = async (schedule: Wire.Schedule) => {
    await ran(admin, schedule, 1)
    return latestRun(admin, schedule)
  }
  const underway = () => ({ state: 'running' as const, time_started: new Date().toISOString() })

  test('goes on where it stopped', async () => {
    const [ended, stopped] = [
      await stoppedInstance(admin, query, fresh('box')),
      await stoppedInstance(admin, query, fresh('box')),
    ]
    const schedule = await interrupted([
      { step: 'stop', thing_id: ended.id, state: 'succeeded' },
      { step: 'stop', thing_id: stopped.id, ...underway() },
      { step: 'start', thing_id: stopped.id, stage: 1 },
    ])
    expect(await outcome(schedule)).toMatchObject({ state: 'succeeded', succeeded: 3, failed: 0 })
    expect((await reaches(admin, stopped.id, 'running')).run_state).toBe('running')
    expect((await reaches(admin, ended.id, 'stopped')).run_state).toBe('stopped')
  })

  test('fails the remaining items once its user is deactivated', async () => {
    const { id: user_id } = await server.createUser(fresh('user'), {
      projects: { [projectId]: 'admin' },
    })
    const time_deactivated = new Date().toISOString()
    await server.db
      .updateTable('silo_user')
      .set({ time_deactivated })
      .where('id', '=', user_id)
      .execute()
    const { id: thing_id } = await stoppedInstance(admin, query, fresh('box'))
    const schedule = await interrupted(
      [
        { step: 'stop', thing_id, ...underway() },
        { step: 'start', thing_id },
      ],
      { user_id },
    )
    const done = await outcome(schedule)
    expect(results(done)).toEqual([
      'stop thing-0: succeeded',
      `start thing-1: failed, ${says.noAuthor}`,
    ])
    expect(done.state).toBe('failed')
  })

  test('fails the items for which its user has lost the rights', async () => {
    const { id: user_id } = await server.createUser(fresh('user'), {
      projects: { [projectId]: 'viewer' },
    })
    const { id: thing_id } = await stoppedInstance(admin, query, fresh('box'))
    const schedule = await interrupted([{ step: 'start', thing_id }], { user_id })
    expect(results(await outcome(schedule))).toEqual([
      `start thing-0: failed, ${errors.forbidden().message}`,
    ])
    expect((await reaches(admin, thing_id, 'stopped')).run_state).toBe('stopped')
  })

  test('ends if its instance is deleted meanwhile', async () => {
    const { id: thing_id } = await stoppedInstance(admin, query, fresh('box'))
    await admin.call('instance_delete', { params: { instance: thing_id } })
    const schedule = await interrupted([
      { step: 'start', thing_id, ...underway() },
      { step: 'start', thing_id },
    ])
    const [running, waiting] = (await outcome(schedule)).items
    expect(running).toMatchObject({ state: 'failed' })
    expect(waiting).toMatchObject({ state: 'failed', reason: expect.stringContaining('not found') })
  })

  test('removes nothing if all its snapshots have failed', async () => {
    const { id, name } = await disk()
    const retention = { last: 1 }
    const schedule = await interrupted(
      [
        { step: 'snapshot', thing_kind: 'disk', thing_id: id, state: 'failed', reason: 'full' },
        { step: 'snapshot', thing_kind: 'disk', thing_id: crypto.randomUUID(), makes: fresh() },
      ],
      { disks: [name], retention },
    )
    expect((await outcome(schedule)).items.map(({ state }) => state)).toEqual(['failed', 'failed'])
  })

  test('requests the snapshots of all disks of an instance in one transaction', async () => {
    const boxes = Array.from({ length: 12 }, () => fresh('box'))
    const items = boxes.flatMap((thing_inside) =>
      Array.from({ length: INSTANCE_MAX_DISKS }, () => ({
        step: 'snapshot' as const,
        thing_kind: 'disk' as const,
        thing_id: crypto.randomUUID(),
        thing_inside,
        makes: fresh('snapshot'),
      })),
    )
    const done = await outcome(await interrupted(items))
    for (const box of boxes) {
      const disks = done.items.filter(({ instance_name }) => instance_name === box)
      expect(disks).toHaveLength(INSTANCE_MAX_DISKS)
      expect(new Set(disks.map(({ time_started }) => time_started)).size).toBe(1)
    }
  })
})

describe('a failed run', () => {
  const issuesOf = async ({ id }: { id: string }) =>
    (await admin.call('issue_list')).items.filter((issue) => issue.id === `schedule_failed:${id}`)

  test('is an issue with its reason, until one succeeds', async () => {
    const { id, name } = await disk()
    const schedule = await create({ disks: [name] })
    const setState = (state: 'maintenance' | 'detached') =>
      server.db.updateTable('disk').set({ state }).where('id', '=', id).execute()
    await setState('maintenance')
    const failed = await runAndWait(schedule)
    expect(failed).toMatchObject({ state: 'failed', failed: 1 })
    const [issue] = await issuesOf(schedule)
    expect(issue!.sentence).toBe(
      `Run 1 of schedule ${schedule.name} of project work in silo main has failed: ${failed.reason}`,
    )
    expect(failed.reason).toContain(`${name}: can't create a snapshot of a disk in state`)
    expect(issue!.path).toBe(`/projects/work/schedules/${schedule.name}`)
    const overview = await admin.call('project_overview', { query: { project: projectId } })
    expect(overview.attention!.items.map((one) => one.id)).toContain(issue!.id)
    await setState('detached')
    expect((await runAndWait(schedule)).state).toBe('succeeded')
    expect(await issuesOf(schedule)).toEqual([])
  })

  test('lacks the rights of the user who last changed it', async () => {
    const user = await server.createUser(fresh('user'), {
      projects: { [projectId]: 'limited_collaborator' },
    })
    const { id, name } = await disk()
    const schedule = await create({ disks: [name] }, user.caller)
    await makeDue('2026-01-01T00:00:00.000Z', schedule)
    await ran(admin, schedule, 1)
    expect(await snapshotsOf(id)).toHaveLength(1)
    await server.db.deleteFrom('role_assignment').where('identity_id', '=', user.id).execute()
    await makeDue('2026-01-02T00:00:00.000Z', schedule)
    const { last_run } = await ran(admin, schedule, 2)
    expect(last_run).toMatchObject({ state: 'failed', reason: says.mayNot(user.name) })
    expect(await issuesOf(schedule)).toHaveLength(1)
    expect(await snapshotsOf(id)).toHaveLength(1)
    // A request has the rights of the caller.
    expect(await runAndWait(schedule)).toMatchObject({ state: 'succeeded', user_name: 'admin' })
    // So has the schedule, once the caller has changed it.
    expect(await update(schedule, { description: 'mine' })).toMatchObject({ user_name: 'admin' })
    await makeDue('2026-01-03T00:00:00.000Z', schedule)
    expect((await ran(admin, schedule, 4)).last_run!.state).toBe('succeeded')
  })

  test('has a user who was deactivated', async () => {
    const user = await server.createUser(fresh('user'), { projects: { [projectId]: 'admin' } })
    const schedule = await create({ disks: [(await disk()).name] }, user.caller)
    const time_deactivated = new Date().toISOString()
    await server.db
      .updateTable('silo_user')
      .set({ time_deactivated })
      .where('id', '=', user.id)
      .execute()
    await makeDue('2026-01-01T00:00:00.000Z', schedule)
    expect((await ran(admin, schedule, 1)).last_run!.reason).toBe(says.noAuthor)
  })

  test('has lost all its targets', async () => {
    const { id, name } = await disk()
    const schedule = await create({ disks: [name] })
    await admin.call('disk_delete', { params: { disk: id } })
    expect(await view(schedule)).toMatchObject({ disks: 0 })
    expect(await runAndWait(schedule)).toMatchObject({ state: 'failed', reason: says.targetsGone })
  })

  test('is that of an instance without disks, and the others succeed', async () => {
    const box = await stoppedInstance(admin, query, fresh('box'))
    const { name } = await disk()
    const done = await runAndWait(await create({ instances: [box.name], disks: [name] }))
    expect(results(done)).toEqual([
      `snapshot ${box.name}: failed, Instance has no disks`,
      `snapshot ${name}: succeeded`,
    ])
    expect(done.reason).toBe(`1 of 2 failed, first ${box.name}: Instance has no disks`)
  })
})

describe('the retention', () => {
  test('removes the oldest snapshots of the schedule, and no others', async () => {
    const { id, name } = await disk()
    const own = (await server.createSnapshot(fresh('own'), projectId, id)).name
    const other = await create({ disks: [name], retention: { last: 1 } })
    await runAndWait(other)
    const [foreign] = (await snapshotsOf(id)).filter((one) => one !== own)
    const schedule = await create({ disks: [name], retention: { last: 2 } })
    const made: string[] = []
    for (let index = 0; index < 3; index++) {
      const done = await runAndWait(schedule)
      made.push(done.items[0]!.made_name!)
      if (index < 2) continue
      expect(results(done)).toEqual([`snapshot ${name}: succeeded`, `delete ${made[0]}: succeeded`])
    }
    expect((await snapshotsOf(id)).toSorted()).toEqual([own, foreign, made[1], made[2]].toSorted())
  })

  test('removes none of a disk whose snapshot has failed', async () => {
    const { id, name } = await disk()
    const schedule = await create({ disks: [name], retention: { last: 1 } })
    await runAndWait(schedule)
    const before = await snapshotsOf(id)
    await server.db.updateTable('disk').set({ state: 'maintenance' }).where('id', '=', id).execute()
    expect((await runAndWait(schedule)).state).toBe('failed')
    expect(await snapshotsOf(id)).toEqual(before)
  })

  test('is not disturbed by a snapshot that a user has removed', async () => {
    const { id, name } = await disk()
    const schedule = await create({ disks: [name], retention: { last: 1 } })
    const first = await runAndWait(schedule)
    await admin.call('snapshot_delete', { params: { snapshot: first.items[0]!.made_id! } })
    expect((await runAndWait(schedule)).state).toBe('succeeded')
    expect(await snapshotsOf(id)).toHaveLength(1)
  })
})

describe('as time passes', () => {
  /** Returns a function that sets the wall clock, which goes on from there. */
  function clock(): (time: string) => Promise<void> {
    vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true, advanceTimeDelta: 5 })
    onTestFinished(() => void vi.useRealTimers())
    return async (time) => {
      vi.setSystemTime(time)
      await wake()
    }
  }

  test('it runs at each of its times, and a clock that was set back repeats none', async () => {
    const { id, name } = await disk()
    const at = clock()
    await at('2027-03-01T00:00:00Z')
    const schedule = await create({ disks: [name] })
    for (const [index, day] of ['01', '02', '03'].entries()) {
      await at(`2027-03-${day}T02:00:30Z`)
      await ran(admin, schedule, index + 1)
    }
    expect((await view(schedule)).time_next).toBe('2027-03-04T02:00:00.000Z')
    for (const time of ['2027-03-01T01:59:59Z', '2027-03-01T02:00:30Z', '2027-03-03T02:00:00Z']) {
      await at(time)
      // The reconciler notices such a change, and makes all alarms due.
      const reconcile_at = new Date().toISOString()
      await server.db
        .updateTable('schedule')
        .set({ reconcile_at })
        .where('id', '=', schedule.id)
        .execute()
      await wake()
      await until(
        () =>
          server.db
            .selectFrom('schedule')
            .select(['reconcile_at'])
            .where('id', '=', schedule.id)
            .executeTakeFirstOrThrow(),
        (row) => expect(row.reconcile_at).toBe('2027-03-04T02:00:00.000Z'),
      )
    }
    await update(schedule, { enabled: false })
    expect((await update(schedule, { enabled: true })).time_next).toBe('2027-03-04T02:00:00.000Z')
    expect(await snapshotsOf(id)).toHaveLength(3)
    await at('2027-03-04T02:00:00Z')
    await ran(admin, schedule, 4)
    expect(await snapshotsOf(id)).toHaveLength(4)
  })

  test('grandfathers stay, by the days of its time zone @long', async () => {
    const { id, name } = await disk()
    const at = clock()
    await at('2027-05-01T00:00:00Z')
    const schedule = await create({
      disks: [name],
      recurrence: { type: 'cron', expression: '30 23 * * *', time_zone: 'America/New_York' },
      retention: { last: 0, daily: 3, weekly: 2, monthly: 2, yearly: 0 },
    })
    for (let day = 1; day <= 40; day++) {
      await at(new Date(Date.UTC(2027, 4, 1 + day, 3, 31)).toISOString())
      await ran(admin, schedule, day)
    }
    const { items } = await admin.call('snapshot_list', { query: { ...query, limit: 1000 } })
    const days = items
      .filter((one) => one.disk_id === id)
      .map(({ time_created }) =>
        new Date(Date.parse(time_created) - 4 * 3_600_000).toISOString().slice(0, 10),
      )
    expect(days.toSorted()).toEqual([
      '2027-05-31',
      '2027-06-06',
      '2027-06-07',
      '2027-06-08',
      '2027-06-09',
    ])
  })
})

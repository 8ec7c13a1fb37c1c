/** The audit log: actors, operations and results, and who may read it. */
import type { Wire } from '@steading/api'
import { AUDIT_KEPT_MS } from '@steading/api/rules'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { purgeAuditLog } from '../../../src/purge.ts'
import { stopClocks } from '../../support/clock.ts'
import type { Caller } from '../../support/caller.ts'
import {
  ADMIN_PASSWORD,
  startTestServer,
  type TestServer,
  type User,
} from '../../support/harness.ts'
import { tokenOf } from '../../support/devices.ts'
import { runJob, targets } from '../../support/jobs.ts'
import { blankDisk, detachedDisk, stoppedInstance } from '../../support/things.ts'

let server: TestServer
let maker: User
let siloAdmin: User
let viewer: User
let stranger: User
let project: { id: string }
const work = { query: { project: 'work' } }

beforeAll(async () => {
  server = await startTestServer()
  project = await server.admin.call('project_create', { body: { name: 'work', description: '' } })
  maker = await server.createUser('maker', { projects: { [project.id]: 'collaborator' } })
  siloAdmin = await server.createUser('boss', { silo: 'admin' })
  viewer = await server.createUser('looker', { projects: { [project.id]: 'viewer' } })
  const elsewhere = await server.createSilo('elsewhere')
  stranger = await server.createUser('stranger', { silo: 'admin' }, elsewhere)
})
afterAll(() => server.close())
afterEach(() => void vi.useRealTimers())

const entries = async (
  query: Record<string, string>,
  caller: Caller = server.admin,
): Promise<Wire.AuditEntry[]> =>
  (
    await caller.call('audit_entry_list', {
      query: { sort_by: 'time_completed_descending', ...query },
    })
  ).items

/** The newest entry of an operation by a user. */
const newest = async (operation: string, user: User = maker): Promise<Wire.AuditEntry> =>
  (await entries({ operation, user: user.id, limit: '1' }))[0]!

describe('calls are logged', () => {
  test('with actor, target, operation, origin and result', async () => {
    const before = Date.now()
    const answer = await maker.caller.send('POST', '/v1/disks?project=work', {
      body: blankDisk('first'),
      headers: { 'user-agent': 'tester/1.0' },
    })
    const disk = answer.body as Wire.Disk
    const entry = await newest('disk_create')
    expect(entry).toEqual({
      id: expect.any(String),
      request_id: answer.headers.get('x-request-id'),
      request_uri: '/v1/disks?project=work',
      operation_id: 'disk_create',
      summary: expect.stringMatching(/disk/),
      sentence: 'created disk first',
      source_ip: '127.0.0.1',
      user_agent: 'tester/1.0',
      auth_method: 'session_cookie',
      credential_id: expect.any(String),
      time_started: expect.any(String),
      time_completed: expect.any(String),
      actor_kind: 'silo_user',
      user: { id: maker.id, display_name: 'maker', silo_id: server.siloId },
      target: { kind: 'disk', id: disk.id, name: 'first', project_id: project.id },
      job_id: null,
      result: { kind: 'success', http_status_code: 201 },
    })
    expect(entry.time_completed >= entry.time_started).toBe(true)
    expect(Date.parse(entry.time_started)).toBeGreaterThanOrEqual(before - 1)

    const [listed] = (
      await server.admin.call('audit_log_list', {
        query: { start_time: entry.time_completed, sort_by: 'time_and_id_ascending' },
      })
    ).items.filter(({ id }) => id === entry.id)
    expect(listed).toMatchObject({
      actor: { kind: 'silo_user', silo_user_id: maker.id, silo_id: server.siloId },
      operation_id: 'disk_create',
      result: { kind: 'success', http_status_code: 201 },
    })
  })

  test('even if refused: by a rule, by a permission, for a missing thing, or as malformed', async () => {
    await maker.caller.refusal('disk_create', { ...work, body: blankDisk('first') })
    expect(await newest('disk_create')).toMatchObject({
      target: { kind: 'disk', id: null, name: 'first' },
      result: { kind: 'error', http_status_code: 400, error_code: 'ObjectAlreadyExists' },
    })

    const { id } = await server.admin.call('disk_view', { params: { disk: 'first' }, ...work })
    await viewer.caller.refusal('disk_delete', { params: { disk: 'first' }, ...work })
    expect(await newest('disk_delete', viewer)).toMatchObject({
      target: { kind: 'disk', id, name: 'first', project_id: project.id },
      result: { kind: 'error', http_status_code: 403, error_message: 'Forbidden' },
    })

    await maker.caller.refusal('disk_delete', { params: { disk: 'none' }, ...work })
    expect(await newest('disk_delete')).toMatchObject({
      target: { id: null, name: 'none' },
      result: { kind: 'error', http_status_code: 404 },
    })

    await maker.caller.send('POST', '/v1/disks?project=work', { body: '{"name": "s3cret"' })
    const malformed = await newest('disk_create')
    expect(malformed.result).toMatchObject({ kind: 'error', http_status_code: 400 })
    expect(JSON.stringify(malformed)).not.toContain('s3cret')
  })

  test('with the presented token', async () => {
    const device = await tokenOf(maker.caller, server.anonymous)
    await device.call('disk_create', { ...work, body: blankDisk('by-token') })
    await device.refusal('disk_create', { ...work, body: blankDisk('by-token') })
    const made = await entries({ operation: 'disk_create', search: 'by-token' })
    expect(made.map(({ result }) => result.kind)).toEqual(['error', 'success'])
    for (const entry of made) {
      expect(entry).toMatchObject({
        auth_method: 'access_token',
        credential_id: device.granted.token_id,
        user: { id: maker.id },
      })
      expect(JSON.stringify(entry)).not.toContain(device.granted.access_token)
    }
    const [confirmed] = await entries({ operation: 'device_auth_confirm' })
    expect(confirmed).toMatchObject({
      auth_method: 'session_cookie',
      target: { kind: 'access_token', id: device.granted.token_id },
    })
  })

  test('except reads, and calls refused for missing credentials', async () => {
    const { length } = await entries({})
    await maker.caller.call('disk_list', work)
    await server.anonymous.refusal('disk_create', { ...work, body: blankDisk('first') })
    expect(await entries({})).toHaveLength(length)
  })

  test('for each item of a job, with the user who started it', async () => {
    const disks = [
      await detachedDisk(maker.caller, { project: 'work' }, 'job-a'),
      await detachedDisk(maker.caller, { project: 'work' }, 'job-b'),
    ]
    const job = await runJob(maker.caller, 'delete', 'disk', targets(...disks.map(({ id }) => id)))
    const deleted = (await entries({ operation: 'disk_delete', user: maker.id })).filter(
      ({ job_id }) => job_id === job.id,
    )
    const start = await newest('job_start')
    expect(start.target).toMatchObject({ kind: 'job', id: job.id })
    expect(new Set(deleted.map(({ target }) => target!.id))).toEqual(
      new Set(disks.map(({ id }) => id)),
    )
    for (const entry of deleted) {
      expect(entry).toMatchObject({
        request_id: start.request_id,
        source_ip: '127.0.0.1',
        credential_id: start.credential_id,
        result: { kind: 'success', http_status_code: 204 },
      })
    }
  })
})

describe('sign-ins', () => {
  const signIn = (username: string, password: string, silo = 'main') =>
    server.anonymous.send('POST', `/v1/login/${silo}/local`, { body: { username, password } })
  const attempts = (search: string) => entries({ operation: 'login_local', search })

  test('that succeed have the user as actor', async () => {
    await signIn('admin', ADMIN_PASSWORD)
    const [entry] = await attempts('admin')
    expect(entry).toMatchObject({
      actor_kind: 'silo_user',
      user: { display_name: 'admin' },
      auth_method: null,
      target: { kind: 'silo_user', name: 'admin' },
      result: { kind: 'success', http_status_code: 204 },
    })
    const { items } = await server.admin.call('audit_log_list', {
      query: { start_time: entry!.time_started },
    })
    // Clients of the original API read whom the caller was before.
    expect(items.find(({ id }) => id === entry!.id)).toMatchObject({
      operation_id: 'login_local',
      actor: { kind: 'unauthenticated' },
    })
  })

  test('that fail have the attempted name, and nothing of the password', async () => {
    await signIn('nobody-here', 'hunter2-hunter2')
    const [entry] = await attempts('nobody-here')
    expect(entry).toMatchObject({
      actor_kind: 'unauthenticated',
      user: null,
      target: { kind: 'silo_user', id: null, name: 'nobody-here' },
      result: { kind: 'error', http_status_code: 401 },
    })
    await server.anonymous.send('POST', '/v1/login/main/local', {
      body: '{"username": "nobody-here", "password": ["hunter2-hunter2"]}',
    })
    const rows = await server.db.selectFrom('audit_log').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('hunter2')
    expect(JSON.stringify(rows)).not.toContain(ADMIN_PASSWORD)
  })

  test('are in the log of the silo they were for', async () => {
    await signIn('in-other-silo', 'wrong', 'elsewhere')
    const query = { search: 'in-other-silo' }
    expect(await entries(query, stranger.caller)).toHaveLength(1)
    expect(await entries(query, siloAdmin.caller)).toHaveLength(0)
  })
})

describe('access to the log', () => {
  test('admins of a silo see the calls in their silo, and none in another', async () => {
    await stranger.caller.call('project_create', { body: { name: 'theirs', description: '' } })
    const names = async (caller: Caller) =>
      (await entries({ operation: 'project_create' }, caller)).map(({ target }) => target!.name)
    expect(await names(siloAdmin.caller)).toEqual(['work'])
    expect(await names(stranger.caller)).toEqual(['theirs'])
    expect(await names(server.admin)).toEqual(['theirs', 'work'])
    expect(
      await siloAdmin.caller.refusal('audit_log_list', {
        query: { start_time: '2026-01-01T00:00:00Z' },
      }),
    ).toMatchObject({ status: 403 })
    expect(await maker.caller.refusal('audit_entry_list')).toMatchObject({ status: 403 })
  })

  test('of an operator from another silo they learn nothing but the existence', async () => {
    const [entry] = await entries({ operation: 'project_create' }, siloAdmin.caller)
    await server.db
      .updateTable('audit_log')
      .set({ actor_silo_id: stranger.id, actor_name: 'from-afar' })
      .where('id', '=', entry!.id)
      .execute()
    const [hidden] = await entries({ operation: 'project_create' }, siloAdmin.caller)
    expect(hidden).toMatchObject({ id: entry!.id, user: null, source_ip: null, user_agent: null })
    expect(await entries({ search: 'from-afar' }, siloAdmin.caller)).toEqual([])
    expect(await entries({ search: 'from-afar' })).toHaveLength(1)
  })
})

describe('the list', () => {
  test('comes in pages in both directions, by time', async () => {
    const all = await entries({ limit: '1000' })
    const times = all.map(({ time_completed }) => time_completed)
    expect(times).toEqual(times.toSorted().toReversed())
    for (const sort_by of ['time_and_id_ascending', 'time_and_id_descending'] as const) {
      const ids: string[] = []
      let query: Record<string, string> = { start_time: '2020-01-01T00:00:00Z', sort_by }
      for (;;) {
        const page = await server.admin.call('audit_log_list', { query: { ...query, limit: 7 } })
        ids.push(...page.items.map(({ id }) => id))
        if (page.items.length === 0) break
        query = { page_token: page.next_page! }
      }
      const expected = all.map(({ id }) => id)
      expect(ids).toEqual(sort_by.endsWith('descending') ? expected : expected.toReversed())
    }
  })

  test('has a range that includes its start, but not its end', async () => {
    const [last, before] = await entries({ limit: '2' })
    const [start_time, end_time] = [before!.time_completed, last!.time_completed]
    const found = await entries({ start_time, end_time })
    expect(found.map(({ id }) => id)).toContain(before!.id)
    expect(found.map(({ id }) => id)).not.toContain(last!.id)
    const early = await server.admin.refusal('audit_log_list')
    expect(early).toMatchObject({
      status: 400,
      message: 'unable to parse query string: missing field `start_time`',
    })
  })

  test('filters by result, target and text', async () => {
    const failed = await entries({ result: 'error' })
    expect(new Set(failed.map(({ result }) => result.kind))).toEqual(new Set(['error']))
    const { id } = await server.admin.call('disk_view', { params: { disk: 'first' }, ...work })
    expect(new Set((await entries({ target: id })).map(({ target }) => target!.id))).toEqual(
      new Set([id]),
    )
    expect((await entries({ search: 'TESTER/1' })).map(({ user_agent }) => user_agent)).toContain(
      'tester/1.0',
    )
    expect(await entries({ search: '100%_' })).toEqual([])
  })
})

describe('one entry', () => {
  const view = { params: { entry: '' } }
  test('is found by its id, by callers who may see its log', async () => {
    for (const entry of await entries({ limit: '20' }, siloAdmin.caller)) {
      const params = { entry: entry.id }
      expect(await siloAdmin.caller.call('audit_entry_view', { params })).toEqual(entry)
    }
    const [own] = await entries({ operation: 'disk_create', limit: '1' }, siloAdmin.caller)
    view.params.entry = own!.id
    expect(await siloAdmin.caller.call('audit_entry_view', view)).toEqual(own)
    expect(await maker.caller.refusal('audit_entry_view', view)).toMatchObject({ status: 403 })
    for (const [caller, entry] of [
      [stranger.caller, own!.id],
      [server.admin, crypto.randomUUID()],
      [server.admin, 'ffffffff-ffff-7fff-bfff-ffffffffffff'],
    ] as const) {
      expect(await caller.refusal('audit_entry_view', { params: { entry } })).toMatchObject({
        status: 404,
        message: `not found: entry of the audit log with id "${entry}"`,
      })
    }
  })

  test('of the same millisecond comes after earlier ones', async () => {
    stopClocks(Date.now())
    const names = ['one', 'two', 'three', 'four', 'five']
    for (const name of names) {
      await maker.caller.call('disk_create', { ...work, body: blankDisk(name) })
    }
    vi.useRealTimers()
    const made = await entries({ operation: 'disk_create', user: maker.id, limit: '5' })
    expect(made.map(({ target }) => target!.name)).toEqual(names.toReversed())
  })
})

describe('an export', () => {
  const lines = async (format: string, caller = server.admin) => {
    const response = await caller.fetch(`/x/v1/audit-log/export?format=${format}`)
    expect(response.status).toBe(200)
    return { response, lines: (await response.text()).trimEnd().split(/\r?\n/) }
  }

  test('has every entry, as CSV or JSON lines', async () => {
    const { items } = await server.admin.call('audit_entry_list', { query: { limit: 10_000 } })
    const json = await lines('json_lines')
    expect(json.lines.map((line) => JSON.parse(line) as unknown)).toEqual(items)
    const csv = await lines('csv')
    expect(csv.response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="audit-log-\d{4}-\d\d-\d\d\.csv"$/,
    )
    expect(csv.lines[0]).toMatch(/^time_completed,/)
    expect(csv.lines).toHaveLength(items.length + 1)
  })

  test('neutralises formulas of clients', async () => {
    await maker.caller.send('POST', '/v1/disks?project=work', {
      body: blankDisk('first'),
      headers: { 'user-agent': '=HYPERLINK("http://evil", "x")' },
    })
    const { lines: csv } = await lines('csv')
    expect(csv.find((line) => line.includes('HYPERLINK'))).toContain(
      `,"'=HYPERLINK(""http://evil"", ""x"")",`,
    )
  })
})

describe('the history of a thing', () => {
  const historyOf = async (kind: 'instance' | 'disk', id: string, caller = viewer.caller) =>
    (await caller.call('history_list', { query: { kind, id, sort_by: 'time_and_id_descending' } }))
      .items

  test('is everything done with it and to it, for all who may read it', async () => {
    const { id } = await stoppedInstance(maker.caller, { project: 'work' }, 'box')
    const disk = await detachedDisk(maker.caller, { project: 'work' }, 'extra')
    const attach = { params: { instance: 'box' }, ...work, body: { disk: 'extra' } }
    await maker.caller.call('instance_disk_attach', attach)
    await viewer.caller.refusal('instance_start', { params: { instance: 'box' }, ...work })
    const history = await historyOf('instance', id)
    expect(
      history.map(({ operation_id, user, result }) => [
        operation_id,
        user?.display_name,
        result.kind,
      ]),
    ).toEqual([
      ['instance_start', 'looker', 'error'],
      ['instance_disk_attach', 'maker', 'success'],
      ['instance_create', 'maker', 'success'],
    ])
    expect((await historyOf('disk', disk.id)).map(({ operation_id }) => operation_id)).toEqual([
      'instance_disk_attach',
      'disk_create',
    ])
    expect(history[0]).not.toHaveProperty('source_ip')
    const query = { kind: 'instance', id } as const
    expect(await stranger.caller.refusal('history_list', { query })).toMatchObject({ status: 404 })
  })

  test('of a silo, its users and its groups requires access to the audit log', async () => {
    const silo = await server.createSilo('guild')
    const boss = await server.createUser('boss', { silo: 'admin' }, silo)
    const member = await server.createUser('member', {}, silo)
    const operator = await server.createUser('operator', { fleet: 'viewer' })
    const { id: group } = await boss.caller.call('group_create', { body: { display_name: 'crew' } })
    await boss.caller.call('group_members_update', {
      params: { group_id: group },
      body: { add: [member.id], remove: [] },
    })
    const body = { mode: 'login_disallowed' } as const
    const params = { user_id: member.id }
    await boss.caller.call('local_idp_user_set_password', {
      params,
      query: { silo: 'guild' },
      body,
    })
    await server.admin.call('silo_quotas_update', { params: { silo: 'guild' }, body: { cpus: 1 } })
    const things = [
      [{ kind: 'silo', id: silo }, 'silo_quotas_update'],
      [{ kind: 'silo_user', id: member.id }, 'local_idp_user_set_password'],
      [{ kind: 'silo_group', id: group }, 'group_create'],
    ] as const
    for (const [query, operation] of things) {
      for (const { caller } of [boss, operator]) {
        const { items } = await caller.call('history_list', { query })
        expect(items.map(({ operation_id }) => operation_id)).toContain(operation)
      }
      // A user whose sessions ended with the password change signs in again.
      const asks = await server.signInAs(member.id)
      expect(await asks.refusal('history_list', { query })).toMatchObject({ status: 403 })
      expect(await stranger.caller.refusal('history_list', { query })).toMatchObject({
        status: 404,
      })
      expect(await viewer.caller.refusal('history_list', { query })).toMatchObject({ status: 404 })
    }
  })
})

describe('the clock', () => {
  test('may be set back: nothing is lost, and nothing ends before it began', async () => {
    stopClocks(Date.now() - 3_600_000)
    await maker.caller.call('disk_create', { ...work, body: blankDisk('earlier') })
    vi.useRealTimers()
    const [entry] = await entries({ search: 'earlier' })
    expect(entry!.time_completed >= entry!.time_started).toBe(true)
    expect(Date.parse(entry!.time_completed)).toBeLessThan(Date.now() - 3_000_000)
  })

  test('entries are removed after 90 days, and newer ones stay', async () => {
    const kept = await entries({ limit: '1000' })
    const [old] = await server.db.selectFrom('audit_log').selectAll().limit(1).execute()
    const past = new Date(Date.now() - AUDIT_KEPT_MS - 60_000).toISOString()
    const rows = Array.from({ length: 450 }, () => ({
      ...old!,
      id: crypto.randomUUID(),
      time_completed: past,
    }))
    await server.db.insertInto('audit_log').values(rows).execute()
    const thing = { time_completed: past, entry_id: rows[0]!.id, thing_id: project.id }
    await server.db.insertInto('audit_log_thing').values(thing).execute()
    await purgeAuditLog(server.db, new Date(Date.now() - AUDIT_KEPT_MS).toISOString(), () => true)
    expect((await entries({ limit: '1000' })).map(({ id }) => id)).toEqual(kept.map(({ id }) => id))
    const things = await server.db
      .selectFrom('audit_log_thing')
      .selectAll()
      .where('time_completed', '=', past)
      .execute()
    expect(things).toEqual([])
  })
})

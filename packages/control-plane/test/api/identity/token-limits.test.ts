/** Access tokens with a name: what they show and store, and what those with fewer rights may do. */
import { consoleEndings, NAMED_TOKENS_MAX, tokenMessages } from '@steading/api/rules'
import type { Wire } from '@steading/api'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { stopClocks } from '../../support/clock.ts'
import { viewConsole } from '../../support/console.ts'
import { tokenOf } from '../../support/devices.ts'
import { EventStream } from '../../support/event-stream.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { jobBody, outcomes, plan, runJob, start, targets } from '../../support/jobs.ts'
import { detachedDisk, reaches, smallInstance } from '../../support/things.ts'

let server: TestServer
let admin: Caller
const query = { project: 'work' }
beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  for (const name of ['work', 'other']) {
    await admin.call('project_create', { body: { name, description: '' } })
    await detachedDisk(admin, { project: name }, `disk-of-${name}`)
  }
})
afterAll(() => server.close())
afterEach(() => void vi.useRealTimers())

let count = 0
type Made = Caller & { made: Wire.NewAccessToken }
/** A caller with a new token of the admin, or of another user. */
async function limited(values: Partial<Wire.AccessTokenCreate> = {}, user = admin): Promise<Made> {
  const body = { name: `token-${count++}`, access: 'full' as const, ...values }
  const details = await user.call('current_user_access_token_create', { body })
  return Object.assign(server.anonymous.withToken(details.token), { made: details })
}
const detailsOf = async ({ made }: Made, user = admin) => {
  const query = { sort_by: 'time_and_id_descending' } as const
  const { items } = await user.call('current_user_access_token_details_list', { query })
  return items.find(({ id }) => id === made.id)
}
const forbidden = { status: 403, error_code: 'Forbidden' }

describe('a token with a name', () => {
  test('has its secret in the answer to its creation only', async () => {
    const { made } = await limited({ name: 'ci', ttl_seconds: 3600 })
    const { token: secret, ...details } = made
    expect(secret).toMatch(/^oxide-token-[0-9a-f]{40}$/)
    const expiry = Date.parse(details.time_created) + 3_600_000
    expect(details).toEqual({
      id: expect.any(String),
      name: 'ci',
      access: 'full',
      projects: null,
      time_created: expect.any(String),
      created_address: '127.0.0.1',
      time_expires: new Date(expiry).toISOString(),
      time_last_used: null,
      last_used_address: null,
    })
    const stored = await Promise.all([
      server.db.selectFrom('access_token').selectAll().execute(),
      server.db.selectFrom('event').selectAll().execute(),
      server.db.selectFrom('audit_log').selectAll().execute(),
    ])
    expect(JSON.stringify(stored)).not.toContain(secret.replace('oxide-token-', ''))
    const plain = await admin.call('current_user_access_token_list', { query: { limit: 1000 } })
    expect(plain.items.map(({ id }) => id)).toContain(details.id)
  })

  test('has a name that no other token of the user has, until it has expired', async () => {
    const body = { name: 'twice', access: 'full' as const, ttl_seconds: 60 }
    await admin.call('current_user_access_token_create', { body })
    expect(await admin.refusal('current_user_access_token_create', { body })).toMatchObject({
      status: 400,
      error_code: 'ObjectAlreadyExists',
    })
    const { caller } = await server.createUser('namesake')
    await caller.call('current_user_access_token_create', { body })
    stopClocks(Date.now() + 61_000)
    await admin.call('current_user_access_token_create', { body })
  })

  test('shows when and from where it was used last, exact to a minute', async () => {
    const at = Date.now()
    stopClocks(at)
    const ci = await limited()
    await ci.call('current_user_view')
    const used = { time_last_used: new Date(at).toISOString(), last_used_address: '127.0.0.1' }
    expect(await detailsOf(ci)).toMatchObject(used)
    vi.advanceTimersByTime(59_000)
    await ci.call('current_user_view')
    expect(await detailsOf(ci)).toMatchObject(used)
    vi.advanceTimersByTime(2_000)
    await ci.call('current_user_view')
    const later = new Date(at + 61_000).toISOString()
    expect(await detailsOf(ci)).toMatchObject({ time_last_used: later })
    // A clock that was set back must not hide the next uses.
    vi.setSystemTime(at - 3_600_000)
    vi.advanceTimersByTime(2_000)
    await ci.call('current_user_view')
    expect((await detailsOf(ci))!.time_last_used! < later).toBe(true)
  })

  test('lives no longer than the silo and the creating token permit', async () => {
    const short = await limited({ ttl_seconds: 60 })
    const heir = await limited({}, short)
    expect(heir.made.time_expires).toBe(short.made.time_expires)
    const body = { name: 'outliving', access: 'full' as const, ttl_seconds: 3600 }
    expect(await short.refusal('current_user_access_token_create', { body })).toMatchObject({
      status: 400,
    })
    const max = (device_token_max_ttl_seconds: number | null) =>
      admin.call('auth_settings_update', { body: { device_token_max_ttl_seconds } })
    await max(600)
    onTestFinished(async () => void (await max(null)))
    expect(await admin.refusal('current_user_access_token_create', { body })).toMatchObject({
      status: 400,
    })
    const longest = await limited()
    const { time_created, time_expires } = longest.made
    expect(Date.parse(time_expires!) - Date.parse(time_created)).toBe(600_000)
  })

  test('is refused with bad values, and beyond the maximum number', async () => {
    const { caller, id } = await server.createUser('collector')
    const refused = (body: object) =>
      caller.refusal('current_user_access_token_create', { body: body as never })
    const bodies: object[] = [
      { name: 'Bad Name', access: 'full' },
      { name: 'a', access: 'owner' },
      { name: 'a', access: 'full', ttl_seconds: 0 },
      { name: 'a', access: 'full', projects: [] },
      { name: 'a', access: 'full', projects: Array.from({ length: 21 }, () => 'work') },
    ]
    for (const body of bodies) expect(await refused(body)).toMatchObject({ status: 400 })
    const hidden = await refused({ name: 'a', access: 'full', projects: ['work'] })
    expect(hidden).toMatchObject({ status: 404, message: 'not found: project with name "work"' })
    const [row] = await server.db.selectFrom('access_token').selectAll().limit(1).execute()
    const rows = Array.from({ length: NAMED_TOKENS_MAX }, (_, index) => ({
      ...row!,
      id: crypto.randomUUID(),
      user_id: id,
      name: `n${index}`,
      token_hash: `${id}${index}`,
      device_code_hash: `${id}${index}`,
      time_expires: null,
    }))
    await server.db.insertInto('access_token').values(rows).execute()
    expect(await refused({ name: 'a', access: 'full' })).toMatchObject({
      status: 400,
      message: tokenMessages.tooMany,
    })
  })
})

describe('a token with fewer rights', () => {
  test('cannot give itself or another token more', async () => {
    const body = { name: 'wider', access: 'full' as const }
    for (const values of [
      { access: 'read_only' as const },
      { access: 'admin' as const },
      { projects: ['work'] },
    ]) {
      const ci = await limited(values)
      expect(await ci.refusal('current_user_access_token_create', { body })).toMatchObject({
        ...forbidden,
        message: tokenMessages.limited,
      })
      // Nor by confirming the code of a device.
      const confirmed = tokenOf(ci, server.anonymous)
      await expect(confirmed).rejects.toThrow(/403/)
      expect(await ci.refusal('current_user_access_token_list')).toMatchObject(forbidden)
      expect(await ci.refusal('current_user_session_list')).toMatchObject(forbidden)
      expect(await ci.refusal('dashboard_create', { body: privateDashboard })).toMatchObject(
        forbidden,
      )
    }
  })

  test('reads, and says why it writes nothing', async () => {
    const reading = await limited({ access: 'read_only' })
    expect((await reading.call('disk_list', { query })).items).toHaveLength(1)
    const body = { name: 'none', description: '' }
    expect(await reading.refusal('project_create', { body })).toMatchObject({
      ...forbidden,
      message: tokenMessages.readOnly,
    })
    const program = { query: 'get virtual_disk:bytes_read | filter timestamp > @now() - 1m' }
    const answer = await reading.send('POST', '/v1/timeseries/query?project=work', {
      body: program,
    })
    expect([200, 404]).toContain(answer.status)
  })

  test('sees and finds only its projects', async () => {
    const ci = await limited({ projects: ['work'] })
    expect(await ci.refusal('project_view', { params: { project: 'other' } })).toMatchObject({
      status: 404,
    })
    expect((await ci.call('disk_search', { query })).items).toHaveLength(1)
    const found = (await ci.call('find', { query: { text: 'disk-of' } })).items
    expect(found.map(({ name }) => name)).toEqual(['disk-of-work'])
    const outside = { query: 'get virtual_disk:bytes_read' }
    const answer = await ci.send('POST', '/v1/timeseries/query?project=other', { body: outside })
    expect(answer.status).toBe(404)
    // Without any project left, a token has no rights instead of all of them.
    const { id } = await admin.call('project_create', { body: { name: 'gone', description: '' } })
    const orphan = await limited({ projects: ['gone'] })
    await admin.call('vpc_subnet_delete', {
      params: { subnet: 'default' },
      query: { project: 'gone', vpc: 'default' },
    })
    await admin.call('vpc_delete', { params: { vpc: 'default' }, query: { project: 'gone' } })
    await admin.call('project_delete', { params: { project: id } })
    expect(await orphan.refusal('disk_list', { query })).toMatchObject({ status: 404 })
    expect((await detailsOf(orphan))!.projects).toEqual([{ id, name: null }])
  })

  test('loses the rights that its user loses', async () => {
    const { caller, id } = await server.createUser('demoted')
    const { id: project } = await admin.call('project_view', { params: { project: 'work' } })
    const assign = (role_name: Wire.ProjectRole | undefined) =>
      admin.call('project_policy_update', {
        params: { project },
        body: {
          role_assignments: role_name
            ? [{ identity_type: 'silo_user', identity_id: id, role_name }]
            : [],
        },
      })
    await assign('admin')
    const ci = await limited({ access: 'collaborator', projects: ['work'] }, caller)
    await detachedDisk(ci, query, 'by-ci')
    await assign('viewer')
    expect((await ci.call('disk_list', { query })).items).toHaveLength(2)
    const params = { disk: 'by-ci' }
    expect(await ci.refusal('disk_delete', { params, query })).toMatchObject(forbidden)
    await assign(undefined)
    expect(await ci.refusal('disk_list', { query })).toMatchObject({ status: 404 })
  })

  test('follows only the events of its projects, and none of its user', async () => {
    const ci = await limited({ access: 'viewer', projects: ['work'] })
    const stream = new EventStream(await ci.fetch('/x/v1/events'))
    await stream.block()
    await limited()
    const elsewhere = await detachedDisk(admin, { project: 'other' }, 'unseen')
    const seen = await detachedDisk(admin, query, 'seen')
    const changes = [await stream.change()]
    while (changes.at(-1)!.resource_id !== seen.id) changes.push(await stream.change())
    expect(changes.map(({ resource_id }) => resource_id)).not.toContain(elsewhere.id)
    expect(new Set(changes.map(({ resource }) => resource))).toEqual(new Set(['disks']))
    // Its own end comes at once, although it sees no such event.
    await admin.call('current_user_access_token_delete', { params: { token_id: ci.made.id } })
    for (let next = await stream.next(); next; next = await stream.next());
  })

  test('gets no answer that was made for its user', async () => {
    const ci = await limited({ projects: ['other'] })
    const read = (caller: Caller, headers = {}) =>
      caller.fetch('/v1/disks?project=work', { headers })
    const etag = (await read(admin)).headers.get('etag')!
    expect((await read(admin, { 'if-none-match': etag })).status).toBe(304)
    expect((await read(ci, { 'if-none-match': etag })).status).toBe(404)
  })

  test('opens no console to read, and loses an open one when it is revoked', async () => {
    const body = smallInstance('box', { start: true })
    const { id } = await admin.call('instance_create', { query, body })
    await reaches(admin, id, 'running')
    const reading = await limited({ access: 'read_only' })
    const upgraded = new Promise<number>((resolve) => {
      const viewer = viewConsole(server.url, reading, id)
      viewer.opened.catch(() => {})
      viewer.socket.once('unexpected-response', (_, answer) => resolve(answer.statusCode!))
      viewer.socket.once('error', () => {})
    })
    expect(await upgraded).toBe(403)
    const ci = await limited({ access: 'limited_collaborator', projects: ['work'] })
    const viewer = viewConsole(server.url, ci, id)
    await viewer.opened
    const closed = new Promise<[number, string]>((resolve) => {
      viewer.socket.once('close', (code, reason) => resolve([code, reason.toString()]))
    })
    await admin.call('current_user_access_token_delete', { params: { token_id: ci.made.id } })
    expect(await closed).toEqual([1008, consoleEndings.signedOut])
  })
})

describe('the jobs of a token with fewer rights', () => {
  const privateTo = async (caller: Caller, job: { id: string }) =>
    (await caller.refusal('job_view', { params: { job: job.id } })).status

  test('act with these rights, even when its user starts them', async () => {
    const disk = await detachedDisk(admin, query, 'kept')
    const ci = await limited({ access: 'viewer' })
    const job = await plan(ci, 'delete', 'disk', targets(disk.id))
    expect(await outcomes(ci, job)).toEqual(['delete kept: refused, Forbidden'])
    // The limits are stored: rights that the plan had when it was made are checked again.
    await server.db
      .updateTable('job_item')
      .set({ state: 'waiting', reason: null })
      .where('job_id', '=', job.id)
      .execute()
    await server.db.updateTable('job').set({ counts: null }).where('id', '=', job.id).execute()
    await start(admin, job)
    await expect.poll(() => outcomes(admin, job)).toEqual(['delete kept: failed, Forbidden'])
    await admin.call('disk_view', { params: { disk: disk.id } })
  })

  test('are seen by that token and by its user, and by no other token with fewer rights', async () => {
    const disk = await detachedDisk(admin, query, 'going')
    const ci = await limited({ access: 'limited_collaborator', projects: ['work'] })
    const job = await runJob(ci, 'delete', 'disk', targets(disk.id))
    expect(job.counts.succeeded).toBe(1)
    expect((await ci.call('job_list')).items.map(({ id }) => id)).toEqual([job.id])
    expect((await admin.call('job_list')).items.map(({ id }) => id)).toContain(job.id)
    const other = await limited({ access: 'read_only' })
    expect(await privateTo(other, job)).toBe(404)
    expect((await other.call('job_list')).items).toEqual([])
    expect(
      await other.refusal('job_create', { body: jobBody('delete', 'disk', targets(disk.id)) }),
    ).toMatchObject(forbidden)
  })
})

const privateDashboard = {
  name: 'Mine',
  description: '',
  source: 'project' as const,
  sharing: 'private' as const,
  charts: [],
}

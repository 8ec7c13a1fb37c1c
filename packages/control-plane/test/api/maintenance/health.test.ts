/** The answers of a server to load balancers, supervisors and Prometheus. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/harness.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ metricsListen: { host: '127.0.0.1', port: 0 } })
})
afterAll(() => server.close())

const get = (path: string, of = server) => fetch(of.url + path)
/** The value of a series; undefined if there is none. */
function valueOf(metrics: string, series: string): number | undefined {
  const line = metrics.split('\n').find((each) => each.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length))
}

describe('health', () => {
  test('is public, without details', async () => {
    for (const path of ['/x/v1/health', '/x/v1/health/ready']) {
      const answer = await get(path)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(await answer.json()).toEqual({ live: true, ready: true, status: 'ready' })
    }
    expect(await (await get('/x/v1/health/live')).json()).toEqual({ live: true })
    const head = await fetch(`${server.url}/x/v1/health`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  test('has details for operators', async () => {
    const health = await server.admin.call('system_health_view')
    expect(health).toEqual({
      status: 'ready',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      time_started: expect.any(String),
      database: server.host.controlPlane.database.dialect,
      database_bytes: expect.any(Number),
      clock_ahead_seconds: null,
      disk_full: false,
      database_damage: [],
      overdue: expect.any(Array),
      event_followers: 0,
      tasks: expect.any(Array),
    })
    const names = health.tasks.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['evaluating alert rules', 'watching the clock']))
    expect(new Set(names).size).toBe(names.length)
    expect(health.database_bytes).toBeGreaterThan(100_000)
  })

  test('a stopping server is not ready, and still answers', async () => {
    const leaving = await startTestServer()
    leaving.host.controlPlane.leave()
    const answer = await get('/x/v1/health/ready', leaving)
    expect(answer.status).toBe(503)
    expect(await answer.json()).toEqual({ live: true, ready: false, status: 'stopping' })
    expect((await get('/x/v1/health/live', leaving)).status).toBe(200)
    expect(await leaving.admin.call('project_list')).toMatchObject({ items: [] })
    await leaving.close()
  })
})

describe('metrics', () => {
  const metrics = async (of = server) => {
    const { status, body, headers } = await of.admin.send('GET', '/x/v1/metrics')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    return body as unknown as string
  }

  test('count the calls of this server alone, by operation and class of the status', async () => {
    const other = await startTestServer()
    const series = (operation: string, status: string) =>
      `steading_requests_total{operation="${operation}",status="${status}"}`
    const before = await metrics()
    const project = { name: 'counted', description: '' }
    await server.admin.call('project_create', { body: project })
    expect((await server.admin.send('POST', '/v1/projects', { body: project })).status).toBe(400)
    expect((await get('/v1/nothing')).status).toBe(404)
    const after = await metrics()
    const rise = (name: string) => (valueOf(after, name) ?? 0) - (valueOf(before, name) ?? 0)
    expect(rise(series('project_create', '2xx'))).toBe(1)
    expect(rise(series('project_create', '4xx'))).toBe(1)
    expect(rise(series('none', '4xx'))).toBe(1)
    expect(rise('steading_request_duration_seconds_count{operation="project_create"}')).toBe(2)
    // Only this call is in progress.
    expect(valueOf(after, 'steading_requests_in_flight')).toBe(1)
    expect(valueOf(await metrics(other), series('project_create', '2xx'))).toBeUndefined()
    await other.close()
  })

  test('cover the reconciler, the outbox, the database and the process', async () => {
    const text = await metrics()
    for (const name of [
      'steading_ready',
      'steading_reconciler_passes_total',
      'steading_reconciler_lag_seconds{kind="instance"}',
      'steading_reconciler_overdue{kind="instance"}',
      'steading_outbox_lag_seconds',
      'steading_outbox_events_total',
      'steading_event_followers',
      'steading_database_bytes',
      'steading_outage{kind="full"}',
      'process_cpu_seconds_total',
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_p99_seconds',
    ]) {
      expect(valueOf(text, name), name).toBeGreaterThanOrEqual(0)
    }
    expect(valueOf(text, 'steading_sessions')).toBeGreaterThan(0)
    const ofPool = valueOf(text, 'steading_database_connections{state="waiting"}')
    expect(ofPool).toBe(server.databaseUrl === undefined ? undefined : 0)
    // Each metric is described once, as Prometheus requires.
    const described = text.match(/^# TYPE \S+/gm)!
    expect(new Set(described).size).toBe(described.length)
  })

  test('are for operators, and without credentials at a separate address', async () => {
    expect((await get('/x/v1/metrics')).status).toBe(401)
    const member = await server.createUser('member', { silo: 'admin' })
    expect((await member.caller.send('GET', '/x/v1/metrics')).status).toBe(403)
    const viewer = await server.createUser('viewer', { fleet: 'viewer' })
    expect((await viewer.caller.send('GET', '/x/v1/metrics')).status).toBe(200)

    const { origin, href } = new URL(server.host.metricsUrl!)
    const answer = await fetch(href)
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    expect(valueOf(await answer.text(), 'steading_ready')).toBe(1)
    expect((await fetch(`${origin}/x/v1/health`)).status).toBe(200)
    expect((await fetch(`${origin}/v1/projects`)).status).toBe(404)
  })
})

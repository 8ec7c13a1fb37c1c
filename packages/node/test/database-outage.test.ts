/** A PostgreSQL that fails while it is in use. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GiB } from '@steading/api/rules'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  postgresMissing,
  startPostgres,
  type TestPostgres,
} from '../../control-plane/test/support/postgres.ts'
import {
  PASSWORD,
  post,
  MANY_PASSES,
  metricsOf,
  passesOf,
  signIn,
  startProcess,
  temporaryDirectory,
  WITH_METRICS,
} from './support/process.ts'

describe.skipIf(postgresMissing())('a PostgreSQL that goes away', () => {
  let home: string
  let postgres: TestPostgres
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'steading-outage-'))
    // Acknowledged writes must survive a restart.
    postgres = await startPostgres(home, { durable: true })
  })
  afterAll(async () => {
    await postgres.stop()
    await rm(home, { recursive: true, force: true })
  })

  async function query(text: string): Promise<{ rowCount: number | null }> {
    const client = new Client({ connectionString: postgres.url })
    await client.connect()
    try {
      return await client.query(text)
    } finally {
      await client.end()
    }
  }

  async function ownDatabase(): Promise<string> {
    const name = `outage_${crypto.randomUUID().replaceAll('-', '')}`
    await query(`create database ${name}`)
    return postgres.url.replace(/postgres$/, name)
  }

  /** Clients that create projects one after the other until they are stopped. */
  function startWriting(url: string, cookie: string) {
    const names: string[] = []
    const statuses = new Map<number, number>()
    let bodies = ''
    let stopped = false
    let count = 0
    const write = async () => {
      while (!stopped) {
        const name = `project-${count++}`
        const response = await fetch(`${url}/v1/projects`, {
          method: 'POST',
          headers: { cookie, 'content-type': 'application/json' },
          body: JSON.stringify({ name, description: '' }),
        })
        const text = await response.text()
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
        if (response.status === 201) names.push(name)
        else bodies = text
      }
    }
    let writers = Promise.all(Array.from({ length: 6 }, write))
    const pause = async () => {
      stopped = true
      await writers
    }
    return {
      pause,
      advance() {
        stopped = false
        writers = Promise.all(Array.from({ length: 6 }, write))
      },
      names,
      statuses,
      lastError: () => bodies,
      stop: pause,
    }
  }

  async function projects(url: string, cookie: string): Promise<Set<string>> {
    const response = await fetch(`${url}/v1/projects?limit=10000`, { headers: { cookie } })
    const { items } = (await response.json()) as { items: { name: string }[] }
    return new Set(items.map(({ name }) => name))
  }

  async function startServer() {
    const server = await startProcess([
      '--data',
      temporaryDirectory(),
      '--database-url',
      await ownDatabase(),
      '--boot-ms',
      '5000',
      ...WITH_METRICS,
    ])
    const cookie = await signIn(server.url)
    return { ...server, cookie }
  }

  test('loses its connections under six clients: the server answers 503 and continues', async () => {
    const { url, cookie, end } = await startServer()
    const writing = startWriting(url, cookie)
    for (let times = 0; times < 3; times++) {
      const before = writing.names.length
      await vi.waitFor(() => expect(writing.names.length).toBeGreaterThan(before + 10), {
        timeout: 120_000,
      })
      const { rowCount } = await query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'steading'",
      )
      expect(rowCount).toBeGreaterThan(0)
    }
    const before = writing.names.length
    await vi.waitFor(() => expect(writing.names.length).toBeGreaterThan(before + 10), {
      timeout: 120_000,
    })
    await writing.stop()
    expect([...writing.statuses.keys()].filter((status) => status !== 201)).toEqual([503])
    expect(JSON.parse(writing.lastError())).toMatchObject({
      error_code: 'ServiceNotAvailable',
      message: 'Service Unavailable',
    })
    expect([...(await projects(url, cookie))]).toEqual(expect.arrayContaining(writing.names))
    expect(await end('SIGTERM')).toMatchObject({ code: 0 })
  })

  test('is restarted: nothing acknowledged is lost, and the log stays short @long', async () => {
    const server = await startServer()
    const { url, cookie, log, end } = server
    // Transitional machines, and followers of events and consoles.
    await post(url, cookie, '/v1/projects', { name: 'work', description: '' })
    for (const name of ['one', 'two', 'three']) {
      const machine = { name, description: '', hostname: name, ncpus: 1, memory: GiB }
      await post(url, cookie, '/v1/instances?project=work', machine)
    }
    const events = await fetch(`${url}/x/v1/events`, { headers: { cookie } })
    const reader = events.body!.getReader()
    const followed = (async () => {
      while (!(await reader.read()).done);
    })().catch(() => {})
    const health = async () => {
      const answer = await fetch(`${url}/x/v1/health`)
      return [answer.status, ((await answer.json()) as { status: string }).status]
    }
    const metrics = () => metricsOf(server)
    expect(await health()).toEqual([200, 'ready'])
    expect(await metrics()).toMatch(/^steading_sessions 1$/m)
    const writing = startWriting(url, cookie)
    await vi.waitFor(() => expect(writing.names.length).toBeGreaterThan(10), { timeout: 120_000 })
    await postgres.stop('SIGINT')
    await vi.waitFor(() => expect(writing.statuses.get(503)).toBeGreaterThan(10), {
      timeout: 120_000,
    })
    expect((await fetch(`${url}/v1/ping`)).status).toBe(200)
    expect((await fetch(`${url}/x/v1/health/live`)).status).toBe(200)
    expect(await health()).toEqual([503, 'database_unreachable'])
    // Metrics from the database are omitted; the others are still collected.
    const during = await metrics()
    expect(during).toMatch(/^steading_ready 0$/m)
    expect(during).toMatch(/^steading_outage\{kind="unreachable"\} 1$/m)
    expect(during).not.toContain('steading_sessions')
    await writing.pause()
    const passes = await passesOf(server)
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    expect((await passesOf(server)) - passes).toBeLessThan(MANY_PASSES)
    writing.advance()
    const before = writing.names.length
    await postgres.start()
    await vi.waitFor(() => expect(writing.names.length).toBeGreaterThan(before + 10), {
      timeout: 120_000,
    })
    await writing.stop()
    for (const name of ['one', 'two', 'three']) {
      await vi.waitFor(
        async () => {
          const path = `/v1/instances/${name}?project=work`
          const response = await fetch(url + path, { headers: { cookie } })
          expect(await response.json()).toMatchObject({ run_state: 'running' })
        },
        { timeout: 120_000 },
      )
    }
    await reader.cancel()
    await followed
    expect(await signIn(url, PASSWORD)).toMatch(/^session=/)
    expect([...(await projects(url, cookie))]).toEqual(expect.arrayContaining(writing.names))
    await vi.waitFor(() => expect(log()).toContain('reaches the database again'), {
      timeout: 120_000,
    })
    expect(await health()).toEqual([200, 'ready'])
    expect(await metrics()).toMatch(/^steading_outage\{kind="unreachable"\} 0$/m)
    const { code, stderr } = await end('SIGTERM')
    expect(code).toBe(0)
    const lines = stderr.trim().split('\n')
    expect(lines.filter((line) => line.includes('cannot reach the database'))).toHaveLength(1)
    expect(lines.filter((line) => line.includes('reaches the database again'))).toHaveLength(1)
    expect(lines.length).toBeLessThan(10)
  })
})

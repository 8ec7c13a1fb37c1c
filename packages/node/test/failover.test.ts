/** A PostgreSQL whose role changes while it is in use, alone and with a hot standby. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  postgresMissing,
  postgresToolsMissing,
  startPostgres,
  type TestPostgres,
} from '../../control-plane/test/support/postgres.ts'
import { hostName, hostUrls } from '../src/postgres-hosts.ts'
import { post, runToEnd, signIn, startProcess, temporaryDirectory } from './support/process.ts'

const patience = { timeout: 120_000 }
/** Then backups can be made of the server. */
const withTools = postgresToolsMissing() === undefined

async function query(url: string, ...texts: string[]): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    let rows: unknown[] = []
    for (const text of texts) ({ rows } = await client.query(text))
    return rows
  } finally {
    await client.end()
  }
}

const portOf = ({ url }: TestPostgres): string => new URL(url).port

const bothUrl = (first: TestPostgres, second: TestPostgres, database: string): string =>
  `postgres://postgres@127.0.0.1:${portOf(first)},127.0.0.1:${portOf(second)}/${database}?target_session_attrs=read-write`

/** A client of a server, of which each call returns the status and the body. */
const caller =
  (url: string, cookie: string) =>
  async (path: string, body?: object): Promise<{ status: number; json: unknown }> => {
    const response = await fetch(url + path, {
      method: body ? 'POST' : 'GET',
      headers: { cookie, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    })
    const text = await response.text()
    return { status: response.status, json: text === '' ? undefined : JSON.parse(text) }
  }

const unavailable = {
  status: 503,
  json: { error_code: 'ServiceNotAvailable', message: 'Service Unavailable' },
}
const unready = { status: 503, json: { ready: false, status: 'database_unreachable' } }

test.for([
  ['postgres://u:p@a:5432,b/db?x=1', ['postgres://u:p@a:5432/db?x=1', 'postgres://u:p@b/db?x=1']],
  ['postgres://[::1]:1,[::2]:2/', ['postgres://[::1]:1/', 'postgres://[::2]:2/']],
  ['postgres://a/d?target_session_attrs=primary&ssl=1', ['postgres://a/d?ssl=1']],
  [
    'postgres://u@/d?host=a,%2Frun%2Fpg&port=1,2',
    ['postgres://u@localhost/d?host=a&port=1', 'postgres://u@localhost/d?host=%2Frun%2Fpg&port=2'],
  ],
  [
    'postgres:///d?host=a,b&port=7',
    ['postgres://localhost/d?host=a&port=7', 'postgres://localhost/d?host=b&port=7'],
  ],
] as const)('the hosts of the database URL %s are told apart', ([text, urls]) => {
  expect(hostUrls(text)).toEqual(urls)
})

test.for([
  ['mysql://a/b', 'must be a URL like'],
  ['postgres://a,,b/d', 'must be a URL like'],
  ['postgres://a:99999,b/d', 'must be a URL like'],
  ['postgres://a,b/d?target_session_attrs=standby', 'read-write as target_session_attrs'],
  ['postgres:///d?host=a,b,c&port=1,2', '3 hosts and 2 ports'],
  [`postgres://${'a,'.repeat(20)}a/d`, 'more than 16 hosts'],
])('the database URL %s is refused, without a quotation', ([text, reason]) => {
  expect(() => hostUrls(text!)).toThrow(reason)
})

test('messages name a host without its credentials', () => {
  const names = ['postgres://u:p@a:1/d', 'postgres://u:p@h/d?host=b&port=2', 'postgres:///d']
  expect(names.map(hostName)).toEqual(['a:1', 'b:2', 'the local server'])
})

describe.skipIf(postgresMissing())('a PostgreSQL whose role changes', () => {
  let home: string
  let postgres: TestPostgres
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'steading-failover-'))
    postgres = await startPostgres(home, { durable: true, withTools })
  })
  afterAll(async () => {
    await postgres.stop()
    await rm(home, { recursive: true, force: true })
  })

  test('a database that accepts no writes any more is an outage until it does again @long', async () => {
    await query(postgres.url, 'create database demoted')
    const database = postgres.url.replace(/postgres$/, 'demoted')
    const server = await startProcess(['--data', temporaryDirectory(), '--database-url', database])
    const cookie = await signIn(server.url)
    const call = caller(server.url, cookie)
    await post(server.url, cookie, '/v1/projects', { name: 'before', description: '' })
    await query(
      postgres.url,
      'alter system set default_transaction_read_only = on',
      'select pg_reload_conf()',
    )
    const create = (name: string) => call('/v1/projects', { name, description: '' })
    await vi.waitFor(
      async () => expect(await create('during')).toMatchObject(unavailable),
      patience,
    )
    expect(await call('/x/v1/health')).toMatchObject(unready)
    // A server does not start on it.
    const { code, stderr } = await runToEnd([
      '--data',
      temporaryDirectory(),
      '--database-url',
      database,
    ])
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`127.0.0.1:${portOf(postgres)} accepts no writes now`),
    ])
    await query(
      postgres.url,
      'set default_transaction_read_only = off',
      'alter system reset default_transaction_read_only',
      'select pg_reload_conf()',
    )
    await vi.waitFor(async () => expect((await create('after')).status).toBe(201), patience)
    await vi.waitFor(() => expect(server.log()).toContain('reaches the database again'), patience)
    expect((await call('/x/v1/health')).status).toBe(200)
    const { code: ended, stderr: log } = await server.end('SIGTERM')
    expect(ended).toBe(0)
    expect(log.match(/cannot reach the database/g)).toHaveLength(1)
    expect(log).not.toContain('the audit log misses')
  })

  test('a server of several hosts follows the one that accepts writes through a failover, and no audit entry is lost', async () => {
    const standby = await postgres.addStandby()
    try {
      await query(postgres.url, 'create database cloud')
      const database = bothUrl(standby, postgres, 'cloud')
      const data = temporaryDirectory()
      const server = await startProcess(['--data', data, '--database-url', database])
      const cookie = await signIn(server.url)
      const call = caller(server.url, cookie)
      const names: string[] = []
      const create = async () => {
        const name = `project-${names.length}`
        const { status } = await call('/v1/projects', { name, description: '' })
        if (status === 201) names.push(name)
        return status
      }
      while (names.length < 5) await create()
      await postgres.stop('SIGQUIT')
      await vi.waitFor(async () => expect(await create()).toBe(503), patience)
      expect(await call('/x/v1/health')).toMatchObject(unready)
      const login = await call('/v1/login/main/local', { username: 'admin', password: 'wrong' })
      expect(login).toMatchObject(unavailable)
      await query(standby.url, 'select pg_promote()')
      await vi.waitFor(async () => expect(await create()).toBe(201), patience)
      while (names.length < 10) await create()
      await vi.waitFor(async () => expect((await call('/x/v1/health')).status).toBe(200), patience)
      const entries =
        "select status from audit_log where operation_id = 'login_local' and status > 299"
      const promoted = standby.url.replace(/postgres$/, 'cloud')
      await vi.waitFor(
        async () => expect(await query(promoted, entries)).toEqual([{ status: 503 }]),
        patience,
      )
      const { json } = await call('/v1/projects?limit=1000')
      const kept = (json as { items: { name: string }[] }).items.map(({ name }) => name)
      expect(kept).toEqual(expect.arrayContaining(names))
      const found = await runToEnd(['doctor', '--data', data, '--database-url', database])
      expect(found.stdout).toContain('ok       database: PostgreSQL can be reached')
      if (withTools) {
        // The dump comes from the host of its snapshot, which is not the first of the URL.
        const file = join(temporaryDirectory(), 'steading.backup')
        const place = ['--data', data, '--database-url', bothUrl(postgres, standby, 'cloud')]
        expect(await runToEnd(['backup', file, ...place])).toMatchObject({ code: 0, stderr: '' })
        expect(await runToEnd(['verify', file])).toMatchObject({ code: 0 })
      }
      expect((await server.end('SIGTERM')).code).toBe(0)
    } finally {
      await standby.stop()
    }
  })
})

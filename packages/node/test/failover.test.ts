/** A PostgreSQL whose role changes while it is in use, alone and with a hot standby. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@steading/control-plane'
import { sql } from 'kysely'
import { Client } from 'pg'
import { outcomeUnknownMessage } from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  postgresMissing,
  postgresToolsMissing,
  startPostgres,
  type TestPostgres,
} from '../../control-plane/test/support/postgres.ts'
import { createOutages } from '../../control-plane/src/kernel/outages.ts'
import { defaultConfig } from '../src/config.ts'
import { lineOf } from '../src/doctor/finding.ts'
import { checkReplication } from '../src/doctor/replication.ts'
import { createEngine } from '../src/engine.ts'
import { openPostgres } from '../src/postgres.ts'
import { hostName, hostUrls } from '../src/postgres-hosts.ts'
import { connectToPrimary } from '../src/primary-search.ts'
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

  describe('with a hot standby', () => {
    let standby: TestPostgres
    beforeAll(async () => {
      standby = await postgres.addStandby()
    })
    afterAll(() => standby.stop())

    const found = async (url: string): Promise<string[]> =>
      (await checkReplication(url)).map(lineOf)
    const set = (names: string) =>
      query(
        postgres.url,
        `alter system set synchronous_standby_names = '${names}'`,
        'select pg_reload_conf()',
      )
    const LOSES = 'a failover of the database can lose acknowledged writes'

    test('the doctor says whether acknowledged writes survive a failover', async () => {
      const both = bothUrl(postgres, standby, 'postgres')
      const primary = `127.0.0.1:${portOf(postgres)}`
      const hosts = `ok       database hosts: ${primary} accepts writes, and 1 other answers`
      await vi.waitFor(
        async () =>
          expect(await found(both)).toEqual([
            hosts,
            'ok       replication: commits wait for walreceiver',
          ]),
        patience,
      )
      expect(await found(postgres.url)).toEqual([
        'ok       replication: commits wait for walreceiver',
      ])

      // A user without rights sees no standbys, but their own settings.
      await query(postgres.url, 'create role limited login')
      const asLimited = both.replace('postgres@', 'limited@')
      const hidden = /^ok       replication: synchronous_standby_names is \*; a user with/
      // The standby has the role a moment after it is acknowledged.
      await vi.waitFor(
        async () => expect(await found(asLimited)).toEqual([hosts, expect.stringMatching(hidden)]),
        patience,
      )
      await query(postgres.url, 'alter role limited set synchronous_commit = off')
      expect(await found(asLimited)).toEqual([
        hosts,
        expect.stringMatching(
          `^warning  replication: ${LOSES}: synchronous_commit is off .+; run ALTER ROLE`,
        ),
      ])

      await set('another')
      const waits = /^warning  replication: writes wait for a synchronous standby, and none of/
      await vi.waitFor(
        async () => expect(await found(both)).toEqual([hosts, expect.stringMatching(waits)]),
        patience,
      )

      await set('')
      const asynchronous = expect.stringMatching(
        `^warning  replication: ${LOSES}: .+ so no commit waits for walreceiver.*; set synchronous_standby_names; with Patroni, `,
      )
      await vi.waitFor(
        async () => expect(await found(both)).toEqual([hosts, asynchronous]),
        patience,
      )
      expect(await found(postgres.url)).toEqual([asynchronous])
      await query(postgres.url, 'create database asynchronous')
      const database = bothUrl(postgres, standby, 'asynchronous')
      const server = await startProcess([
        '--data',
        temporaryDirectory(),
        '--database-url',
        database,
      ])
      expect(server.log()).toContain(`${LOSES}: synchronous_standby_names of the primary is empty`)
      await server.end('SIGTERM')

      await standby.stop('SIGINT')
      await vi.waitFor(
        async () =>
          expect(await found(both)).toEqual([
            expect.stringMatching(/^warning  database hosts: 1 of 2 do not answer: .+ECONNREFUSED/),
            expect.stringMatching(
              `^warning  replication: ${LOSES}: no standby follows the primary`,
            ),
          ]),
        patience,
      )
      // There is nothing to fail over to.
      expect(await found(postgres.url)).toEqual([])
      await standby.start()
      await set('*')
      await vi.waitFor(async () => expect((await found(both))[0]).toBe(hosts), patience)
    })

    test('a write whose commit is cut off is answered as one that may have been made', async () => {
      await query(postgres.url, 'create database cut')
      const host = await openPostgres(postgres.url.replace(/postgres$/, 'cut'))
      const config = {
        ...defaultConfig(),
        data: temporaryDirectory(),
        engine: 'simulated',
      } as const
      const { engine } = await createEngine(config)
      const database = await openDatabase(host, engine)
      const outages = createOutages({
        outageOf: host.outageOf!,
        read: database.probe,
        write: async () => {},
        check: undefined,
        clock: () => new Date(),
        reserve: undefined,
        log: () => {},
        over: () => {},
      })
      const wait = `pg_stat_activity where datname = 'cut' and wait_event = 'SyncRep'`
      // Commits wait for a standby that never comes.
      await set('another')
      const value = await vi.waitFor(async () => {
        const { rows } = await sql<{ names: string }>`
          select current_setting('synchronous_standby_names') as names`.execute(database.db)
        expect(rows[0]!.names).toBe('another')
        return 'written'
      }, patience)
      const writing = database
        .transaction((tx) => tx.insertInto('setting').values({ key: 'cut', value }).execute())
        .catch((error: unknown) => outages.recognize(error))
      await vi.waitFor(
        async () => expect(await query(postgres.url, `select pid from ${wait}`)).toHaveLength(1),
        patience,
      )
      await query(postgres.url, `select pg_terminate_backend(pid) from ${wait}`)
      expect(await writing).toMatchObject({
        template: { status: 503, message: outcomeUnknownMessage },
        headers: { 'retry-after': '2' },
      })
      // It was made.
      await set('*')
      const stored = database.db.selectFrom('setting').select('value').where('key', '=', 'cut')
      expect(await stored.execute()).toEqual([{ value }])
      await outages.stop()
      await database.close()
    })

    test('a server of several hosts follows the one that accepts writes through a failover, and no audit entry is lost', async () => {
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
      const refused = await fetch(`${server.url}/v1/me`, { headers: { cookie } })
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
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
      // The old primary comes back, and does not know yet that it was replaced.
      await postgres.start()
      const { client, url } = await connectToPrimary(bothUrl(postgres, standby, 'cloud'))
      await client.end()
      expect(new URL(url).port).toBe(portOf(standby))
      const [hosts] = await checkReplication(bothUrl(postgres, standby, 'cloud'))
      expect(hosts).toMatchObject({
        level: 'problem',
        text: `127.0.0.1:${portOf(postgres)} (timeline 1) and 127.0.0.1:${portOf(standby)} (timeline 2) both accept writes`,
      })
      expect(await create()).toBe(201)
      expect((await server.end('SIGTERM')).code).toBe(0)
    })
  })
})

/** Backups of PostgreSQL by tools of other versions than the server. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { Readable } from 'node:stream'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  postgresMissing,
  postgresToolsMissing,
  startPostgres,
  type TestPostgres,
} from '../../control-plane/test/support/postgres.ts'
import { fill } from '../src/backup/databases.ts'
import { executeDump } from '../src/backup/sql.ts'
import { defaultConfig } from '../src/config.ts'
import { versionOfServer } from '../src/primary-search.ts'
import {
  PASSWORD,
  post,
  runToEnd,
  signIn,
  startProcess,
  temporaryDirectory,
} from './support/process.ts'

/** Directories with tools of further versions, such as unpacked packages. */
const further = (process.env.POSTGRES_TOOLS ?? '').split(delimiter).filter(Boolean)
const debian = '/usr/lib/postgresql'

/** Version → directory of each pg_dump of this machine. */
function tools(): Map<number, string> {
  const installed = existsSync(debian)
    ? readdirSync(debian).map((version) => join(debian, version, 'bin'))
    : []
  const found = new Map<number, string>()
  for (const directory of [...installed, ...further]) {
    if (!existsSync(join(directory, 'pg_dump'))) continue
    const version = String(execFileSync(join(directory, 'pg_dump'), ['--version']))
    found.set(Number(/\) (\d+)/.exec(version)![1]), directory)
  }
  return found
}

let home: string
let postgres: TestPostgres
beforeAll(async () => {
  if (postgresMissing()) return
  home = await mkdtemp(join(tmpdir(), 'steading-versions-'))
  postgres = await startPostgres(home, { withTools: postgresToolsMissing() === undefined })
})
afterAll(async () => {
  if (postgresMissing()) return
  await postgres.stop()
  await rm(home, { recursive: true, force: true })
})

async function connected<T>(database: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: postgres.url.replace(/postgres$/, database) })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const create = (database: string) =>
  connected('postgres', (client) => client.query(`create database ${database}`))

/** Table → number of rows. */
const rowCounts = (database: string) =>
  connected(database, async (client) => {
    const { rows } = await client.query<{ name: string; count: string }>(`
      select relname as name, (xpath('/row/c/text()',
        query_to_xml(format('select count(*) as c from %I', relname), false, true, '')))[1]::text as count
      from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname`)
    return Object.fromEntries(rows.map(({ name, count }) => [name, Number(count)]))
  })

describe.skipIf(postgresMissing())('a dump in plain SQL', () => {
  const dump = (...lines: string[]) => Readable.from([Buffer.from(lines.join('\n'))])
  /** In pieces of some bytes, so that lines and characters are cut. */
  const inPieces = (...lines: string[]) => {
    const bytes = Buffer.from(lines.join('\n'))
    return Readable.from(
      Array.from({ length: Math.ceil(bytes.length / 7) }, (_, n) =>
        bytes.subarray(7 * n, 7 * n + 7),
      ),
    )
  }

  test('is executed without settings that the server does not have, and rows stay as they are', () =>
    connected('postgres', async (client) => {
      const rows = ['SET of_another_version = 0;', '\\\\restrict x', 'größer\\nals 7', '\\\\.', '']
      await client.query('begin')
      await executeDump(
        client,
        inPieces(
          '\\restrict aB3',
          'SET statement_timeout = 0;',
          'SET of_another_version = 0;',
          "SELECT pg_catalog.set_config('search_path', '', false);",
          "CREATE TABLE public.kept (n int, t text DEFAULT 'a",
          "b');",
          'COPY public.kept (n, t) FROM stdin;',
          ...rows.map((row, n) => `${n}\t${row}`),
          '\\.',
          '',
          'ALTER TABLE ONLY public.kept ADD PRIMARY KEY (n);',
          '\\unrestrict aB3',
          '',
        ),
      )
      const kept = await client.query<{ t: string }>('select t from public.kept order by n')
      expect(kept.rows.map(({ t }) => t)).toEqual([
        rows[0],
        '\\restrict x',
        'größer\nals 7',
        '\\.',
        '',
      ])
      await client.query('rollback')
    }))

  test.for([
    ['a command of psql', ['\\! touch /tmp/x'], 'commands of psql'],
    [
      'a table that ends early',
      ['CREATE TABLE t (n int);', 'COPY t FROM stdin;', '1'],
      'ends within',
    ],
    [
      'a row that does not fit',
      ['CREATE TABLE t (n int);', 'COPY t FROM stdin;', 'x', '\\.'],
      'invalid',
    ],
    ['a statement that fails', ['SELECT nothing;'], 'does not exist'],
  ] as const)('ends at %s', ([, lines, reason]) =>
    connected('postgres', async (client) => {
      await client.query('begin')
      await expect(executeDump(client, dump(...lines))).rejects.toThrow(reason)
    }),
  )
})

describe.skipIf(postgresToolsMissing())('a backup', () => {
  test.for([...tools().keys()])(
    'by tools of PostgreSQL %i is restored to the server it came from',
    async (version) => {
      const server = await connected('postgres', versionOfServer)
      const env = { PATH: `${tools().get(version)}${delimiter}${process.env.PATH}` }
      const [from, to] = [`from_${version}`, `to_${version}`]
      await create(from)
      await create(to)
      const urlOf = (database: string) => postgres.url.replace(/postgres$/, database)
      const place = ['--data', temporaryDirectory(), '--database-url', urlOf(from)]
      const running = await startProcess(place, { STEADING_ADMIN_PASSWORD: PASSWORD })
      const cookie = await signIn(running.url)
      await post(running.url, cookie, '/v1/projects', { name: 'kept', description: 'größer' })
      await running.end('SIGTERM')
      const file = join(temporaryDirectory(), 'steading.backup')
      const made = await runToEnd(['backup', file, ...place], env)
      expect(made.code).toBe(0)
      const remark = version > server ? `of version ${version} is newer than the server` : ''
      expect(made.stderr).toContain(remark)
      const doctor = await runToEnd(['doctor', ...place], env)
      expect(doctor.stdout).toMatch(
        version > server ? /^warning +pg_dump: .*newer/m : /^ok +pg_dump: is of version/m,
      )
      expect(await runToEnd(['verify', file])).toMatchObject({ code: 0 })
      const data = join(temporaryDirectory(), 'restored')
      const restored = ['restore', file, '--data', data, '--database-url', urlOf(to)]
      // No tools are needed.
      const nothing = join(temporaryDirectory(), 'empty')
      mkdirSync(nothing)
      expect(await runToEnd(restored, { PATH: nothing })).toMatchObject({ code: 0, stderr: '' })
      expect(await rowCounts(to)).toEqual(await rowCounts(from))

      // Backups of earlier versions have an archive of pg_dump, which needs tools to be read.
      const archive = temporaryDirectory()
      const pgDump = join(tools().get(version)!, 'pg_dump')
      const dump = ['--format=custom', '--no-owner', '--no-privileges', '--no-comments']
      execFileSync(pgDump, [...dump, `--file=${archive}/database.dump`, urlOf(from)])
      await create(`again_${version}`)
      vi.stubEnv('PATH', env.PATH)
      onTestFinished(() => void vi.unstubAllEnvs())
      await fill({ ...defaultConfig(), databaseUrl: urlOf(`again_${version}`) }, archive)
      expect(await rowCounts(`again_${version}`)).toEqual(await rowCounts(from))
    },
  )
})

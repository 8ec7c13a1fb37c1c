/** The doctor, on real directories with each known fault. */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { once } from 'node:events'
import { BlockList, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DAY_MS, otherHostMessage } from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { postgresMissing } from '../../control-plane/test/support/postgres.ts'
import setup from '../../control-plane/test/support/postgres-setup.ts'
import { fromNow } from '../../control-plane/test/support/times.ts'
import { type CommandName, commands } from '../src/commands.ts'
import { defaultConfig, readConfig, type ServerConfig } from '../src/config.ts'
import { lockDataDirectory } from '../src/data-lock.ts'
import { runDoctor } from '../src/doctor/doctor.ts'
import { lineOf } from '../src/doctor/finding.ts'
import { type BuiltParts, checkProgram } from '../src/doctor/program.ts'
import { commandHelp } from '../src/help.ts'
import { installedVersion } from '../src/installation.ts'
import { nodeVersionProblem } from '../src/node-version.mjs'
import { type Server, startServer } from '../src/server.ts'
import {
  PASSWORD,
  post,
  runToEnd,
  signIn,
  smallDiskMissing,
  startOfCommands,
  temporaryDirectory,
} from './support/process.ts'
import { showCertificate } from './support/shown-certificate.ts'

vi.setConfig({ testTimeout: 60_000 })

const start = (config: Partial<ServerConfig>): Promise<Server> =>
  startServer({
    ...defaultConfig(),
    engine: 'simulated',
    port: 0,
    collects: false,
    volatile: true,
    adminPassword: PASSWORD,
    passwordCost: { memoryKiB: 1024, passes: 1 },
    ...config,
  })

/** Data directory of a stopped server, with a disk. */
const original = mkdtempSync(join(tmpdir(), 'steading-doctor-'))
afterAll(() => rmSync(original, { recursive: true }))
beforeAll(async () => {
  const server = await start({ data: original })
  const cookie = await signIn(server.url)
  const send = (path: string, body: object) => post(server.url, cookie, path, body)
  await send('/v1/projects', { name: 'web', description: '' })
  await send('/v1/disks?project=web', {
    name: 'site',
    description: '',
    size: 2 ** 30,
    disk_backend: {
      type: 'distributed',
      disk_source: { type: 'importing_blocks', block_size: 512 },
    },
  })
  await send('/v1/disks/site/bulk-write-start?project=web', {})
  await send('/v1/disks/site/bulk-write?project=web', {
    offset: 0,
    base64_encoded_data: Buffer.alloc(512, 1).toString('base64'),
  })
  await server.close()
})

function copied(): string {
  const data = temporaryDirectory()
  cpSync(original, data, { recursive: true })
  return data
}

function change(data: string, statement: string): void {
  const database = new DatabaseSync(join(data, 'steading.db'))
  database.exec(statement)
  database.close()
}

/** A built console and documentation. */
function builtParts(): BuiltParts {
  const built = temporaryDirectory()
  writeFileSync(join(built, 'index.html'), '')
  return { console: built, docs: built }
}

/** Findings that are not ok, and the worst level. */
async function examine(config: Partial<ServerConfig>) {
  const parts = builtParts()
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {})
  try {
    const level = await runDoctor(() => ({ ...defaultConfig(), port: 0, ...config }), parts)
    const lines = printed.mock.calls.map(([line]) => String(line))
    return { level, lines, bad: lines.slice(0, -1).filter((line) => !line.startsWith('ok ')) }
  } finally {
    printed.mockRestore()
  }
}

/** Occupies a free port until the test ends. */
async function takePort(): Promise<number> {
  const taken = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(taken, 'listening')
  onTestFinished(() => void taken.close())
  const address = taken.address()
  return typeof address === 'object' && address ? address.port : 0
}

test('exits with 0 if all is well', async () => {
  const { code, stdout, stderr } = await runToEnd(['doctor', '--data', copied(), '--port', '0'])
  const lines = stdout.trim().split('\n')
  const known =
    /^ok +(Steading|Node\.js|data directory|owner|access|free space|lock|database|quick_check|version|volumes|clock|--port): /
  expect(lines.filter((line) => known.test(line))).toHaveLength(13)
  // The console may not be built here.
  expect({ code: stdout.includes('console: built') ? code : 0, stderr }).toEqual({
    code: 0,
    stderr: '',
  })
})

test('exits with 1 if there is a problem', async () => {
  const { code, stdout } = await runToEnd(['doctor', '--port', 'x'])
  expect(code).toBe(1)
  expect(stdout).toContain('problem  configuration: --port must be a whole number')
})

describe('the program', () => {
  test('without the console is a problem, without the documentation a warning', () => {
    const lines = checkProgram({ console: '/nowhere', docs: '/nowhere' }).map(lineOf)
    expect(lines).toContainEqual('problem  console: not in /nowhere; run `npm run build`')
    expect(lines).toContainEqual(expect.stringMatching(/^warning +documentation: /))
  })

  test('does not run on an old Node', () => {
    expect(nodeVersionProblem('24.9.0')).toBeUndefined()
    expect(nodeVersionProblem('25.0.0')).toBeUndefined()
    expect(nodeVersionProblem('24.8.1')).toMatch(
      /^Steading needs Node\.js 24\.9 or newer, and this is 24\.8\.1\. /,
    )
  })
})

describe('the data directory', () => {
  test('is a warning if it is missing, and a problem if it cannot be created', async () => {
    const parent = temporaryDirectory()
    const data = join(parent, 'data')
    const missing = await examine({ data })
    expect(missing.bad).toEqual([
      expect.stringMatching(/^warning  data directory: there is no .+; the first start creates it/),
    ])
    expect(missing.level).toBe('warning')
    writeFileSync(data, '')
    const { bad } = await examine({ data: join(data, 'data') })
    expect(bad).toEqual([
      expect.stringMatching(/^problem  data directory: there is no .+ may not make it/),
    ])
  })

  test('is a problem if it is a file', async () => {
    const data = join(temporaryDirectory(), 'data')
    writeFileSync(data, '')
    const { bad } = await examine({ data })
    expect(bad).toEqual([expect.stringContaining(`there is a file at ${data}`)])
  })

  const disk = smallDiskMissing()

  test.skipIf(disk)('is a problem if it is read-only @long', async () => {
    const data = temporaryDirectory()
    const mount = 'mount -t tmpfs -o ro tmpfs "$0" && exec "$@"'
    const main = join(import.meta.dirname, '../src/main.ts')
    const { stdout } = spawnSync(
      'unshare',
      ['-rm', 'sh', '-c', mount, data, process.execPath, main, 'doctor', '--data', data],
      { encoding: 'utf8' },
    )
    expect(stdout).toMatch(/^problem +data directory: .+ may not read and write /m)
  })

  test.skipIf(disk)('is a problem on a full disk', async () => {
    const directory = temporaryDirectory()
    const { code, stdout } = await runToEnd(
      ['doctor', '--data', directory, '--port', '0'],
      {},
      { directory, kilobytes: 1024 },
    )
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringMatching(
        /^problem +free space: [01] MiB free .+; free some space: writes are refused$/m,
      ),
    })
  })

  test('is a warning with less free space than --keep-free', async () => {
    const { bad } = await examine({ data: copied(), keepFree: 2 ** 60 })
    expect(bad).toEqual([
      expect.stringMatching(/^warning +free space: \d+ MiB free .+ uploads are refused$/),
    ])
  })

  test.skipIf(process.getuid?.() !== 0)('with a file of another user is a problem', async () => {
    const data = copied()
    chownSync(join(data, 'lock.db'), 65_534, 65_534)
    const { bad } = await examine({ data })
    expect(bad).toEqual([
      `problem  owner: lock.db belongs to the user 65534, and ${data} to the user 0; run chown -R 0 ${data}, and start servers as that user`,
    ])
  })

  test.skipIf(process.getuid?.() !== 0)('of another user is a warning', async () => {
    const data = temporaryDirectory()
    chownSync(data, 65_534, 65_534)
    const { bad } = await examine({ data })
    expect(bad).toEqual([
      expect.stringMatching(
        /^warning  owner: .+ belongs to the user 65534, and this is run by the user 0; /,
      ),
    ])
  })

  test('is a warning if others can read it', async () => {
    const data = copied()
    chmodSync(data, 0o755)
    const { bad } = await examine({ data })
    expect(bad).toEqual([expect.stringContaining(`run chmod 700 ${data}`)])
  })

  test('in use by a server is reported, and an unreadable lock is a problem', async () => {
    const data = copied()
    const lock = lockDataDirectory(data)
    const { bad, lines } = await examine({ data })
    lock.release()
    expect(bad).toEqual([])
    expect(lines).toContain('ok       lock: a server has the data directory')
    writeFileSync(join(data, 'lock.db'), 'not a database, and longer than its header'.repeat(10))
    const damaged = await examine({ data })
    expect(damaged.bad).toEqual([
      `problem  lock: cannot be read: file is not a database; remove ${data}/lock.db`,
    ])
  })

  test('is a problem for another kind of database', async () => {
    const embedded = await examine({ data: copied(), databaseUrl: 'postgres://127.0.0.1:1/none' })
    expect(embedded.bad).toEqual([
      expect.stringMatching(/^problem  kind of database: .+ holds an embedded database/),
    ])
    const data = copied()
    rmSync(join(data, 'steading.db'))
    writeFileSync(join(data, 'token'), 'of a PostgreSQL database\n')
    const shared = await examine({ data })
    expect(shared.bad).toEqual([
      expect.stringMatching(/^problem  kind of database: .+; set --database-url to that database/),
    ])
  })

  test('is a problem without the files of a volume', async () => {
    const data = copied()
    renameSync(join(data, 'volumes'), join(data, 'elsewhere'))
    const { bad } = await examine({ data })
    expect(bad).toEqual([
      expect.stringMatching(
        /^problem  volumes: the files of 1 of 1 disks and snapshots are missing, such as .+; restore them from a backup$/,
      ),
    ])
  })
})

describe('the database', () => {
  test('of a newer version is reported as such', async () => {
    const data = copied()
    change(data, "insert into kysely_migration values ('9999-beyond', '2100-01-01')")
    const { bad } = await examine({ data })
    expect(bad).toEqual([
      'problem  version: the database was written by a newer version of Steading: it has the change "9999-beyond"; start that version, or restore a backup of this one',
    ])
  })

  test('of a version before 0.2.0 is a problem with advice', async () => {
    const data = copied()
    change(data, "update kysely_migration set name = '0001-foundation' where name like '0000-%'")
    const { bad } = await examine({ data })
    expect(bad).toEqual([
      'problem  version: the database was written by a version before 0.2.0; start version 0.2.0 with it once, then this one',
    ])
  })

  test('of another engine is reported as such', async () => {
    const data = copied()
    change(data, "update setting set value = 'hypervisor' where key = 'engine'")
    const { bad } = await examine({ data })
    expect(bad).toEqual([
      expect.stringMatching(/^problem  version: the database belongs to the engine "hypervisor"/),
    ])
  })

  test('is not blamed for options that its engine refuses', async () => {
    const trustedProxies = new BlockList()
    trustedProxies.addAddress('127.0.0.1')
    const { bad } = await examine({ data: copied(), engine: 'libvirt', trustedProxies })
    expect(bad).toContainEqual(
      expect.stringMatching(/^problem  engine: --trust-proxy contains 127\.0\.0\.1/),
    )
    expect(bad.join()).not.toContain('backup')
  })

  test('of an earlier version is a warning', async () => {
    const data = copied()
    change(
      data,
      'delete from kysely_migration where name = (select max(name) from kysely_migration)',
    )
    const { bad, level } = await examine({ data })
    expect(bad).toEqual([
      expect.stringMatching(
        /^warning  version: the database is of an earlier version; changes are due from /,
      ),
    ])
    expect(level).toBe('warning')
  })

  test('is a problem with damaged pages', async () => {
    const data = copied()
    const file = join(data, 'steading.db')
    const database = new DatabaseSync(file)
    const { rootpage } = database
      .prepare("select rootpage from sqlite_schema where name = 'certificate'")
      .get()!
    const { page_size: size } = database.prepare('pragma page_size').get()!
    database.close()
    spawnSync('dd', [
      'if=/dev/zero',
      `of=${file}`,
      `bs=${size}`,
      `seek=${Number(rootpage) - 1}`,
      'count=1',
      'conv=notrunc',
    ])
    const { bad } = await examine({ data })
    expect(bad[0]).toMatch(
      /^problem  quick_check: table certificate: .+; stop the server and restore the newest backup$/,
    )
  })

  test('is a problem if the file is not a database', async () => {
    const data = copied()
    writeFileSync(
      join(data, 'steading.db'),
      'not a database, and longer than its header'.repeat(10),
    )
    const { bad } = await examine({ data })
    expect(bad[0]).toMatch(
      /^problem  database: cannot open the database .+: file is not a database; restore the newest backup$/,
    )
  })

  test('with entries of the future causes a finding about the clock', async () => {
    const data = copied()
    change(data, "update audit_log set time_completed = '2999' || substr(time_completed, 5)")
    const { bad } = await examine({ data })
    expect(bad).toEqual([
      expect.stringMatching(
        /^problem  clock: the clock shows .+, and the newest entry of the audit log is of 2999-/,
      ),
    ])
  })

  test('with a sign-in behind a proxy that changes the host is a warning', async () => {
    const data = copied()
    const server = await start({ data })
    const { host } = new URL(server.url)
    await fetch(`${server.url}/v1/login/main/local`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'http://cloud.test:8630' },
      body: JSON.stringify({ username: 'admin', password: PASSWORD }),
    })
    await server.close()
    const { bad } = await examine({ data })
    expect(bad).toEqual([expect.stringMatching(/^warning  proxy: a sign-in was refused at /)])
    expect(bad[0]).toContain(otherHostMessage(host, 'cloud.test:8630'))
    expect(bad[0]).toMatch(/; with nginx: proxy_set_header Host \$http_host;$/)
  })

  test('is a problem if PostgreSQL cannot be reached', async () => {
    const data = temporaryDirectory()
    const { bad } = await examine({ data, databaseUrl: 'postgres://127.0.0.1:1/none' })
    expect(bad).toEqual([
      expect.stringMatching(
        /^problem  database: cannot connect to the PostgreSQL database: .+; check that PostgreSQL is running/,
      ),
    ])
  })

  test.skipIf(postgresMissing())('of PostgreSQL is looked at as well @long', async () => {
    let databaseUrl = ''
    const provide = (_: string, value: string) => void (databaseUrl = value)
    const tearDown = await setup({ provide } as Parameters<typeof setup>[0])
    try {
      const data = temporaryDirectory()
      const empty = await examine({ data, databaseUrl })
      expect(empty.lines).toContainEqual(expect.stringContaining('the first start sets it up'))
      await (await start({ data, databaseUrl })).close()
      const { bad, lines } = await examine({ data, databaseUrl })
      // The tools of this machine may be of another version.
      const ofDatabase = (found: string[]) => found.filter((line) => !line.includes(' pg_dump: '))
      expect(ofDatabase(bad)).toEqual([])
      expect(lines).toContain('ok       database: PostgreSQL can be reached')
      expect(lines).toContainEqual(expect.stringMatching(/^(?:ok|warning) +pg_dump: /))
      const other = temporaryDirectory()
      const { bad: elsewhere } = await examine({ data: other, databaseUrl })
      expect(ofDatabase(elsewhere)).toEqual([
        expect.stringMatching(/^problem  kind of database: .+ does not belong to this database; /),
      ])
    } finally {
      await tearDown()
    }
  })
})

describe('ports', () => {
  test('in use by another program are a problem', async () => {
    const port = await takePort()
    const { bad } = await examine({
      data: copied(),
      port,
      metricsListen: { host: '203.0.113.7', port: 0 },
    })
    expect(bad).toEqual([
      `problem  --port: port ${port} on 127.0.0.1 is in use; stop what runs there, or choose another with --port`,
      'problem  --metrics-listen: 203.0.113.7 is not an address of this machine; choose one with --host',
    ])
  })

  test('are ok if they belong to a running server', async () => {
    const server = await start({ data: copied() })
    const { lines, bad } = await examine({ data: copied(), port: server.port })
    await server.close()
    expect(bad).toEqual([])
    expect(lines).toContain(
      `ok       --port: the server that runs has port ${server.port} on 127.0.0.1`,
    )
  })
})

test('certificates that are missing, expired or about to expire are reported', async () => {
  const config = readConfig(['--tls-port', '0', '--zone', 'cloud.example', '--port', '0'], {})
  const data = copied()
  const about = 'certificate of main.sys.cloud.example'
  const withEnd = async (days: number) => {
    const time = fromNow(days * DAY_MS).toISOString()
    change(
      data,
      `delete from certificate;
       insert into certificate select 'c', 'c', '', '', '', id, 'external_api', '', '', '["*.sys.cloud.example"]', '2000-01-01T00:00:00Z', '${time}' from silo where name = 'main'`,
    )
    return (await examine({ ...config, data })).bad
  }
  const advice = 'add a new one to its silo under Certificates'
  expect((await examine({ ...config, data })).bad).toEqual([
    `problem  ${about}: there is none; ${advice}`,
  ])
  expect(await withEnd(-1)).toEqual([expect.stringMatching(/^problem .+: ended on /)])
  expect(await withEnd(3)).toEqual([expect.stringMatching(/^warning .+: ends on /)])
  expect(await withEnd(300)).toEqual([])
})

test('certificates that hosts in service show are looked at', async () => {
  const data = copied()
  const port = await showCertificate(-1)
  const insert = (state: string) =>
    change(
      data,
      `delete from host;
       insert into host (id, fleet_id, name, name_key, address, state, check_due, time_created, time_modified)
       values ('h', 'f', 'h', 'h', 'qemu+tls://127.0.0.1:${port}/system', '${state}', 0, '', '')`,
    )
  insert('refused')
  expect((await examine({ data })).bad).toEqual([])
  insert('in_service')
  expect((await examine({ data })).bad).toEqual([
    expect.stringMatching(/^problem {2}certificates of hosts: that of 127\.0\.0\.1:\d+ ended on /),
  ])
})

describe('the command line', () => {
  test.each(Object.keys(commands) as CommandName[])(
    'the help of %s has its usage and an example',
    (name) => {
      expect(commandHelp(name)).toMatch(new RegExp(`^Usage: +npm start -- ${name}`, 'm'))
      expect(commandHelp(name)).toMatch(new RegExp(`^Example: npm start -- ${name}`, 'm'))
    },
  )

  test('each command prints its own help', async () => {
    const { code, stdout } = await runToEnd(['verify', 'file', '--help'])
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `${commandHelp('verify', startOfCommands())}\n`,
    })
  })

  test('an unknown command is reported', async () => {
    expect(await runToEnd(['bakcup'])).toMatchObject({
      code: 2,
      stderr: 'steading: there is no command "bakcup"; see --help\n',
    })
  })

  test('prints the version', async () => {
    expect((await runToEnd(['--version'])).stdout).toBe(`${installedVersion()}\n`)
  })
})

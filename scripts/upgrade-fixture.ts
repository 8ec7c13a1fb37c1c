/**
 * Creates the data directories of an earlier version for the upgrade tests:
 * `node scripts/run.mjs upgrade-fixture <commit>…`. Needs PostgreSQL with pg_dump, and a package
 * registry. Each server is filled through its API and killed while its machines run.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  postgresToolsMissing,
  startPostgres,
} from '../packages/control-plane/test/support/postgres.ts'
import { fillEarlierVersion, UPGRADE_PASSWORD } from '../packages/node/test/upgrades/fill.ts'
import { root } from './processes.ts'

const fixtures = join(root, 'packages/node/test/upgrades')
/** Maximum size of a fixture in bytes, to keep the repository small. */
const MOST_BYTES = 400_000

/** Installs a commit in a directory, with the server's dependencies only. */
function checkOut(commit: string, directory: string): void {
  mkdirSync(directory)
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 28 })
  execFileSync('tar', ['-x'], { cwd: directory, input: archive })
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: directory, stdio: 'inherit' })
}

async function listening(child: ChildProcess): Promise<string> {
  let output = ''
  for await (const text of child.stdout!.setEncoding('utf8')) {
    output += text
    const url = /running at (http:\/\/[^\s,;"]+)/.exec(output)?.[1]
    if (url) return url
  }
  throw new Error(`the earlier version did not start: ${output}`)
}

/** Runs the server of a checkout, fills it and kills it. */
async function fillServer(checkout: string, options: string[]): Promise<void> {
  const node = join(checkout, 'node_modules/.bin/node')
  const child = spawn(
    node,
    [
      join(checkout, 'packages/node/src/main.ts'),
      '--port',
      '0',
      '--boot-ms',
      '400',
      '--password-cost',
      'm=1024,t=1',
      ...options,
    ],
    {
      env: {
        PATH: process.env.PATH,
        STEADING_ADMIN_PASSWORD: UPGRADE_PASSWORD,
        STEADING_MULTICAST: '1',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  try {
    await fillEarlierVersion(await listening(child))
  } finally {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
}

function packed(name: string, directory: string): void {
  const file = join(fixtures, name)
  // The reserve is random bytes, and is created again.
  const options = ['--sparse', '--owner=0', '--group=0', '--exclude=reserve', '--exclude=log']
  execFileSync('tar', [...options, '-cJf', file, '.'], { cwd: directory })
  const { size } = statSync(file)
  if (size > MOST_BYTES) throw new Error(`${file} is too large to be committed: ${size} bytes`)
  console.log(`Wrote ${file}: ${size} bytes`)
}

const commits = process.argv.slice(2)
const missing = postgresToolsMissing()
if (commits.length === 0 || missing) {
  console.error(missing ?? 'Usage: node scripts/run.mjs upgrade-fixture <commit>…')
  process.exit(2)
}
const home = mkdtempSync(join(tmpdir(), 'steading-upgrades-'))
// PostgreSQL may run as another user, who cannot enter the directory above.
const postgresHome = mkdtempSync(join(tmpdir(), 'steading-postgres-'))
try {
  const postgres = await startPostgres(postgresHome, { withTools: true })
  try {
    for (const commit of commits) {
      const checkout = join(home, commit)
      checkOut(commit, checkout)
      const sqlite = join(checkout, 'of-sqlite')
      mkdirSync(sqlite)
      await fillServer(checkout, ['--data', join(sqlite, 'data')])
      packed(`${commit}-sqlite.tar.xz`, sqlite)

      const shared = join(checkout, 'of-postgres')
      mkdirSync(shared)
      const database = `version_${commit}`
      execFileSync('psql', ['-q', '-c', `create database ${database}`, postgres.url])
      const url = postgres.url.replace(/postgres$/, database)
      await fillServer(checkout, ['--data', join(shared, 'data'), '--database-url', url])
      const dump = ['--inserts', '--rows-per-insert=100', '--no-owner', '--no-privileges']
      const text = execFileSync('pg_dump', [...dump, url], { encoding: 'utf8', maxBuffer: 2 ** 28 })
      // psql commands, which a test that sends the text to a server omits.
      writeFileSync(join(shared, 'database.sql'), text.replaceAll(/^\\.*$/gm, ''))
      packed(`${commit}-postgres.tar.xz`, shared)
    }
  } finally {
    await postgres.stop()
  }
} finally {
  for (const directory of [home, postgresHome]) rmSync(directory, { recursive: true, force: true })
}

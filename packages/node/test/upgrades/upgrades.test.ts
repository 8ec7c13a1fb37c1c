/**
 * The current version on the data of earlier ones, which were killed while machines ran, a job was
 * in progress and an upload was half done. `scripts/upgrade-fixture.ts` creates the archives beside
 * this file.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { operations } from '@steading/api'
import { Client } from 'pg'
import { describe, expect, test, vi } from 'vitest'
import { postgresMissing } from '../../../control-plane/test/support/postgres.ts'
import { createDatabase } from '../support/database.ts'
import { runToEnd, startProcess, temporaryDirectory } from '../support/process.ts'
import { type Caller, createCaller } from './caller.ts'
import {
  BULK,
  CHUNK,
  fillEarlierVersion,
  finishImport,
  INSTANCES,
  MEASURED,
  PROJECT,
  UPGRADE_PASSWORD,
  uploaded,
} from './fill.ts'
import { long } from '../../../control-plane/test/support/long.ts'

const project = `project=${PROJECT}`
/** The commit of 0.2.0, the oldest version that this one takes over. */
const OLDEST = '3c70924b'
/** A commit before 0.2.0, whose databases lack some changes of it. */
const BEFORE = '32964148'
const archives = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.tar.xz'))
const takenOver = archives.filter(
  (name) => !name.startsWith(BEFORE) && (long || name === `${OLDEST}-sqlite.tar.xz`),
)

async function query(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(sql)
  await client.end()
}

/**
 * Extracts the data of an archive for a server.
 * @returns the options of that server
 */
async function unpack(archive: string): Promise<string[]> {
  const directory = temporaryDirectory()
  execFileSync('tar', ['-xJf', join(import.meta.dirname, archive)], { cwd: directory })
  const options = ['--data', join(directory, 'data'), '--boot-ms', '200']
  if (!archive.includes('postgres')) return options
  const url = await createDatabase()
  await query(url, readFileSync(join(directory, 'database.sql'), 'utf8'))
  return [...options, '--database-url', url]
}

const reaches = (call: Caller, name: string, state: string) =>
  vi.waitFor(
    async () =>
      expect((await call('GET', `/v1/instances/${name}?${project}`)).run_state).toBe(state),
    { timeout: 120_000, interval: 50 },
  )

/** Every list and page that needs at most a project. */
async function problemsOfReading(call: Caller): Promise<string[]> {
  const problems: string[] = []
  for (const [id, { method, path }] of Object.entries(operations)) {
    if (method !== 'GET' || path.includes('{') || /events|logout|download/.test(path)) continue
    const answer = await call.status('GET', path)
    // Most lists require a selector; no answer may be a server error.
    if (answer.status >= 500) problems.push(`${id}: ${answer.text}`)
    if (answer.status !== 400) continue
    const inProject = await call.status('GET', `${path}?${project}`)
    if (inProject.status >= 500) problems.push(`${id} of the project: ${inProject.text}`)
    if (inProject.status !== 400) continue
    const inVpc = await call.status('GET', `${path}?${project}&vpc=default`)
    if (inVpc.status >= 500) problems.push(`${id} of the VPC: ${inVpc.text}`)
  }
  return problems
}

describe.each(takenOver)('%s', (archive) => {
  test.skipIf(archive.includes('postgres') && postgresMissing())(
    'continues with all work in progress, and every area works',
    async () => {
      const options = await unpack(archive)
      const env = { STEADING_MULTICAST: '1', STEADING_COLLECTION: '1' }
      const server = await startProcess(options, env)
      const call = await createCaller(server.url, UPGRADE_PASSWORD)

      // Transitional instances reach their destination.
      for (const name of ['stopped', 'stopping', ...BULK]) await reaches(call, name, 'stopped')
      for (const name of ['running', 'booting', 'rebooting']) await reaches(call, name, 'running')
      await vi.waitFor(async () => {
        const { items } = await call('GET', '/x/v1/jobs')
        expect(items).toMatchObject([{ state: 'done', counts: { succeeded: BULK.length } }])
      }, 30_000)
      const log = await call('GET', `/v1/instances/running/serial-console?${project}&from_start=0`)
      expect(log.data.length).toBeGreaterThan(0)

      expect(await problemsOfReading(call)).toEqual([])
      // An upgrade gives nobody more rights.
      const images = await call('GET', '/x/v1/image-policy')
      expect(images.members_use_silo_images).toBe(false)

      // Uploaded contents are there, and the upload in progress continues.
      const contents = async (disk: string) => {
        const answer = await call.bytes(`/x/v1/disks/${disk}/contents?${project}`, CHUNK)
        return answer.equals(uploaded)
      }
      expect(await contents('uploaded')).toBe(true)
      const { written } = await call('GET', `/x/v1/disks/half/import?${project}`)
      expect(written).toEqual([{ offset: 0, length: CHUNK }])
      await finishImport(call, 'half')
      expect(await contents('half')).toBe(true)
      await call('POST', `/v1/snapshots?${project}`, { name: 'new', description: '', disk: 'data' })

      const { tables } = await call('POST', '/v1/system/timeseries/query', { query: MEASURED })
      expect(tables[0].timeseries.length).toBeGreaterThan(0)

      for (const name of ['running', 'booting', 'rebooting']) {
        await call('POST', `/v1/instances/${name}/stop?${project}`)
        await reaches(call, name, 'stopped')
      }
      for (const name of ['stopped', 'stopping']) {
        await call('POST', `/v1/instances/${name}/start?${project}`)
        await reaches(call, name, 'running')
        await call('POST', `/v1/instances/${name}/reboot?${project}`)
        await reaches(call, name, 'running')
        await call('POST', `/v1/instances/${name}/stop?${project}`)
        await reaches(call, name, 'stopped')
      }
      for (const name of INSTANCES) await call('DELETE', `/v1/instances/${name}?${project}`)
      expect((await call('GET', `/v1/instances?${project}`)).items).toEqual([])
      const { items } = await call('GET', '/x/v1/issues')
      const kinds = items.map(({ kind }: { kind: string }) => kind)
      // The ports of the other switch were not configured.
      expect(kinds.filter((kind: string) => kind !== 'switch_without_uplink')).toEqual([])
      expect((await server.end('SIGTERM')).stderr).toBe('')
    },
  )
})

test('the current version holds the data of the fixture @long', async () => {
  const server = await startProcess(['--data', temporaryDirectory(), '--boot-ms', '200'], {
    STEADING_ADMIN_PASSWORD: UPGRADE_PASSWORD,
    STEADING_MULTICAST: '1',
    STEADING_COLLECTION: '1',
  })
  await fillEarlierVersion(server.url)
  expect(await problemsOfReading(await createCaller(server.url, UPGRADE_PASSWORD))).toEqual([])
  await server.end('SIGKILL')
})

test('data of a version before 0.2.0 is refused, and stays as it is', async () => {
  const options = await unpack(`${BEFORE}-sqlite.tar.xz`)
  const read = () => {
    const database = new DatabaseSync(join(options[1]!, 'steading.db'))
    const rows = database.prepare('select name from kysely_migration order by name').all()
    database.close()
    return rows
  }
  const before = read()
  expect(await runToEnd(['--port', '0', ...options])).toMatchObject({
    code: 2,
    stderr:
      'steading: the database was written by a version before 0.2.0; start version 0.2.0 with it once, then this one\n',
  })
  expect(read()).toEqual(before)
})

describe('an older version on newer data', () => {
  const added = `insert into kysely_migration (name, timestamp) values ('9999-later', '2099-01-01')`
  const refusal =
    'steading: the database was written by a newer version of Steading, and it has the change "9999-later", which this one does not know; use that one\n'
  const archiveOf = (database: string) =>
    archives.find((name) => name.startsWith(OLDEST) && name.includes(database))!
  const start = (options: string[]) => runToEnd(['--port', '0', ...options])

  test('fails with one line on the embedded database', async () => {
    const options = await unpack(archiveOf('sqlite'))
    const database = new DatabaseSync(join(options[1]!, 'steading.db'))
    database.exec(added)
    database.close()
    expect(await start(options)).toMatchObject({ code: 2, stderr: refusal })
  })

  test.skipIf(postgresMissing())('ends in one line on PostgreSQL @long', async () => {
    const options = await unpack(archiveOf('postgres'))
    await query(options.at(-1)!, added)
    expect(await start(options)).toMatchObject({ code: 2, stderr: refusal })
  })
})

/** A database file overwritten by another program. */
import {
  closeSync,
  cpSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { operationTable } from '@steading/api'
import type { Operation } from '@steading/api'
import { databaseDamagedMessage, GiB } from '@steading/api/rules'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { defaultConfig } from '../src/config.ts'
import { startServer } from '../src/server.ts'
import {
  PASSWORD,
  post,
  runToEnd,
  signIn,
  startProcess,
  temporaryDirectory,
} from './support/process.ts'

/** Data directory of a stopped server with some projects and disks. */
const original = mkdtempSync(join(tmpdir(), 'steading-damaged-'))
let cookie: string
afterAll(() => rmSync(original, { recursive: true }))
beforeAll(async () => {
  const server = await startServer({
    ...defaultConfig(),
    engine: 'simulated',
    port: 0,
    data: original,
    collects: false,
    adminPassword: PASSWORD,
    passwordCost: { memoryKiB: 1024, passes: 1 },
  })
  cookie = await signIn(server.url)
  for (const project of ['one', 'two', 'three']) {
    await post(server.url, cookie, '/v1/projects', { name: project, description: '' })
  }
  for (const name of ['web', 'db']) {
    await post(server.url, cookie, '/v1/disks?project=one', {
      name,
      description: '',
      size: GiB,
      disk_backend: { type: 'distributed', disk_source: { type: 'blank', block_size: 512 } },
    })
  }
  await server.close()
})

/** A copy of it. */
function copied() {
  const data = temporaryDirectory()
  cpSync(original, data, { recursive: true })
  return { data, file: join(data, 'steading.db') }
}

/** Overwrites pages, numbered from 1. */
function overwrite(file: string, pages: readonly number[], size: number, byte: number) {
  const descriptor = openSync(file, 'r+')
  for (const page of pages) {
    writeSync(descriptor, Buffer.alloc(size, byte), 0, size, (page - 1) * size)
  }
  closeSync(descriptor)
}

/** Root pages of a table and its indexes, from the schema. */
function rootPages(file: string, table: string): { pages: number[]; size: number } {
  const database = new DatabaseSync(file)
  const rows = database.prepare('select rootpage from sqlite_schema where tbl_name = ?').all(table)
  const { page_size } = database.prepare('pragma page_size').get()!
  database.close()
  return {
    pages: rows.map(({ rootpage }) => Number(rootpage)).filter((page) => page > 0),
    size: Number(page_size),
  }
}

test('affected calls are answered with 503, and health, issues and log report the damage', async () => {
  const { data, file } = copied()
  const { pages, size } = rootPages(file, 'certificate')
  overwrite(file, pages, size, 0xa5)
  const server = await startProcess([
    '--data',
    data,
    '--log',
    'json',
    '--metrics-listen',
    '127.0.0.1:0',
  ])
  const ask = async (path: string) => {
    const answer = await fetch(server.url + path, { headers: { cookie } })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  expect(await ask('/v1/certificates')).toMatchObject({
    status: 503,
    body: { error_code: 'ServiceNotAvailable', message: databaseDamagedMessage },
  })
  expect(await ask('/v1/projects')).toMatchObject({ status: 200 })
  expect(await ask('/x/v1/health')).toEqual({
    status: 503,
    body: { live: true, ready: false, status: 'database_damaged' },
  })
  expect((await ask('/x/v1/health/live')).status).toBe(200)
  // The check names the table.
  await vi.waitFor(
    () => expect(server.log()).toContain('the check of the database has found'),
    30_000,
  )
  const finding = expect.stringMatching(/^table certificate: /)
  expect(await ask('/x/v1/system/health')).toMatchObject({
    status: 200,
    body: { status: 'database_damaged', database_damage: expect.arrayContaining([finding]) },
  })
  const { body } = await ask('/x/v1/issues')
  expect(body.items).toContainEqual(
    expect.objectContaining({
      kind: 'database_damaged',
      severity: 'critical',
      sentence: expect.stringContaining(': table certificate: '),
    }),
  )
  const metricsAt = /metrics at (\S+?)"/.exec(server.output())![1]!
  expect(await (await fetch(metricsAt)).text()).toContain('steading_outage{kind="damaged"} 1')
  const { code, stderr } = await server.end('SIGTERM')
  expect(code).toBe(0)
  const messages = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).message as string)
  expect(messages).toEqual([
    expect.stringMatching(/^the database is damaged .*: database disk image is malformed$/),
    expect.stringMatching(/^the check of the database has found: /),
  ])
})

/** Lists and singletons that require only a session. */
const reads = Object.values(operationTable as Record<string, Operation>)
  .filter(({ method, path, success }) => method === 'GET' && !path.includes('{') && success.schema)
  .map(({ path }) => path)

test('no read is answered with 500, whatever is overwritten', async () => {
  const { data, file } = copied()
  const whole = readFileSync(file)
  const size = 4096
  const last = whole.length / size
  const damages = fc.sample(
    fc.record({
      from: fc.integer({ min: 2, max: last }),
      count: fc.integer({ min: 1, max: 40 }),
      byte: fc.constantFrom(0, 0xff, 0x20),
    }),
    { numRuns: 6, seed: 7 },
  )
  let refused = 0
  for (const { from, count, byte } of damages) {
    writeFileSync(file, whole)
    const pages = Array.from({ length: Math.min(count, last - from + 1) }, (_, at) => from + at)
    overwrite(file, pages, size, byte)
    const server = await startProcess(['--data', data]).catch((error: Error) => error.message)
    if (typeof server === 'string') {
      refused++
      expect(server).toMatch(/^it did not start: steading: .*\n$/)
      continue
    }
    for (const path of reads) {
      const { status } = await fetch(server.url + path, { headers: { cookie }, redirect: 'manual' })
      expect([path, status]).not.toEqual([path, 500])
    }
    expect((await server.end('SIGTERM')).code).toBe(0)
  }
  // Some damage is only encountered later.
  expect(refused).toBeLessThan(damages.length)
})

test('a start that encounters damage fails with one line that locates it', async () => {
  const { data, file } = copied()
  const { pages, size } = rootPages(file, 'disk')
  overwrite(file, pages, size, 0xa5)
  const { code, stderr } = await runToEnd(['--data', data, '--port', '0'])
  expect(code).toBe(2)
  expect(stderr).toMatch(/^steading: the database is damaged .*malformed; .*\n$/)
  expect(stderr).toContain('; table disk: ')
})

test('a file that is not a database is reported in one line at the start', async () => {
  const { data, file } = copied()
  overwrite(file, [1], statSync(file).size, 0x20)
  const { code, stderr } = await runToEnd(['--data', data, '--port', '0'])
  expect(code).toBe(2)
  expect(stderr).toBe(`steading: cannot open the database ${file}: file is not a database\n`)
})

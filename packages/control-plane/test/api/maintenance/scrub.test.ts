/**
 * Damage on the disks of servers: it is found and reported, never read as valid data, and ends when
 * repaired.
 */
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Wire } from '@steading/api'
import { SCRUB_EVERY_MS, scrubMessages } from '@steading/api/rules'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { EmbeddedTimeSeries } from '@steading/time-series'
import { createScrubber } from '../../../src/resources/maintenance/scrub/scrub.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { keepNothing } from '../../support/things.ts'
import { contentsOf, importedDisk } from '../../support/storage.ts'
import { fromNow } from '../../support/times.ts'

const KiB = 1024

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await keepNothing(server.admin)
  await server.admin.call('project_create', { body: { name: 'work', description: '' } })
})
afterAll(() => server.close())
afterEach(() => vi.useRealTimers())

/** Messages of clients for an answer that ends early. */
const brokenOff = /terminated|fetch failed|aborted/

const damage = async (): Promise<Wire.Issue[]> =>
  (await server.admin.call('issue_list')).items.filter(({ kind }) => kind.endsWith('_damaged'))

function flip(path: string, at: number) {
  const bytes = readFileSync(path)
  bytes[at]! ^= 1
  writeFileSync(path, bytes)
}

test('a flipped bit of a disk is reported with all that shares it, never read, and repaired', async () => {
  const { admin, host, data } = server
  const { scrub, engines } = host.controlPlane
  const bytes = randomBytes(300 * KiB)
  const disk = await importedDisk(admin, 'work', 'ledger', bytes, 'ledger-1')
  const { items } = await admin.call('snapshot_list', { query: { project: 'work' } })
  const image = await admin.call('image_create', {
    query: { project: 'work' },
    body: {
      name: 'golden',
      description: '',
      os: 'o',
      version: '1',
      source: { type: 'snapshot', id: items[0]!.id },
    },
  })
  await scrub()
  expect(await damage()).toEqual([])

  flip(join(data, 'volumes', disk.id, '000000'), 100 * KiB)
  await scrub()
  const found = await damage()
  const sentences = ['Disk ledger', 'Image golden', 'Snapshot ledger-1'].map(
    (what) =>
      `${what} of project work in silo main has 64 KiB of damaged data on the disk of the server`,
  )
  expect(found.map(({ sentence }) => sentence).toSorted()).toEqual(sentences)
  expect(found.find(({ id }) => id === `volume_damaged:${disk.id}`)).toMatchObject({
    severity: 'critical',
    path: '/projects/work/disks/ledger',
  })
  expect(found.find(({ id }) => id === `volume_damaged:${image.id}`)!.path).toBe(
    '/projects/work/images',
  )
  await expect(contentsOf(admin, 'disks', disk.id, 100 * KiB, 10)).rejects.toThrow(brokenOff)
  await expect(engines.volumes.read(disk.id, 100 * KiB, 10)).rejects.toMatchObject({
    template: { status: 503, message: scrubMessages.damaged },
  })
  const whole = await contentsOf(admin, 'disks', disk.id, 0, 64 * KiB)
  expect(whole.equals(bytes.subarray(0, 64 * KiB))).toBe(true)

  // The disk is rewritten, and the snapshot deleted; the image still has its bytes.
  await engines.volumes.write(disk.id, 0, bytes)
  await admin.call('snapshot_delete', { params: { snapshot: items[0]!.id } })
  await scrub()
  expect((await damage()).map(({ sentence }) => sentence)).toEqual([sentences[1]])
  expect(bytes.equals(await contentsOf(admin, 'disks', disk.id, 0, bytes.length))).toBe(true)
  await admin.call('image_delete', { params: { image: image.id } })
  await vi.waitFor(async () => expect(await damage()).toEqual([]), { timeout: 120_000 })
})

test('damage found by a read before a check is also reported', async () => {
  const { admin, host, data } = server
  const disk = await importedDisk(admin, 'work', 'read-first', randomBytes(64 * KiB))
  await host.controlPlane.scrub()
  flip(join(data, 'volumes', disk.id, '000000'), 5)
  await expect(contentsOf(admin, 'disks', disk.id, 0, 10)).rejects.toThrow(brokenOff)
  expect((await damage()).map(({ sentence }) => sentence)).toEqual([
    'Disk read-first of project work in silo main has damaged bytes on the disk of the server',
  ])
  await admin.call('disk_delete', { params: { disk: disk.id } })
  await vi.waitFor(async () => expect(await damage()).toEqual([]), { timeout: 120_000 })
})

test('damage of the time series is reported by file, until the file is gone', async () => {
  const { host, data } = server
  const { scrub, engines } = host.controlPlane
  const store = engines.timeSeries as EmbeddedTimeSeries
  const sample = { name: 'a:b', fields: {}, timestamp: Date.now(), datum: 1 }
  await store.append([sample])
  await scrub()
  expect(await damage()).toEqual([])
  const directory = join(data, 'time-series')
  const [log] = readdirSync(directory).filter((name) => name.endsWith('.log'))
  const path = join(directory, log!)
  flip(path, readFileSync(path).length - 1)
  await scrub()
  expect(await damage()).toMatchObject([
    {
      kind: 'time_series_damaged',
      severity: 'warning',
      sentence: `File ${log} of the time series is damaged: its points are missing`,
    },
  ])
  flip(path, readFileSync(path).length - 1)
  await scrub()
  expect(await damage()).toEqual([])
  writeFileSync(`${path}.damaged`, '')
  await scrub()
  expect(await damage()).toMatchObject([{ id: `time_series_damaged:${log}.damaged` }])
  rmSync(`${path}.damaged`)
  await scrub()
  expect(await damage()).toEqual([])
})

test('checks everything once a day, and continues where the last check ended early', async () => {
  const { database, engines } = server.host.controlPlane
  const disks = await Promise.all(
    ['one', 'two', 'three'].map((name) =>
      importedDisk(server.admin, 'work', `daily-${name}`, randomBytes(KiB)),
    ),
  )
  const ids = disks.map(({ id }) => id).toSorted()
  let now = Date.now()
  const checked: string[] = []
  let stopAt: string | undefined
  let failures = 0
  const start = () =>
    createScrubber({
      database,
      volumes: {
        ...engines.volumes,
        async check(id, throttle) {
          checked.push(id)
          if (id === stopAt) throw new Error('the disk cannot be read')
          return engines.volumes.check(id, throttle)
        },
      },
      timeSeries: undefined,
      clock: () => new Date(now),
      log: () => void failures++,
    })
  const finished = async () => {
    const metrics = await server.host.controlPlane.metrics()
    const [, seconds] = /steading_scrub_finished_seconds\{kind="volume"\} (\S+)/.exec(metrics)!
    return Number(seconds)
  }
  const checkUntil = async (isOver: () => Promise<void>) => {
    const scrubber = start()
    checked.length = 0
    await scrubber.start()
    await vi.waitFor(isOver, { timeout: 120_000 })
    await scrubber.stop()
    return checked.filter((id) => ids.includes(id))
  }
  await server.host.controlPlane.scrub()
  now = fromNow(SCRUB_EVERY_MS).getTime() + 1
  stopAt = ids[1]
  expect(await checkUntil(async () => expect(failures).toBe(1))).toEqual(ids.slice(0, 2))
  expect(await finished()).toBeLessThan(now / 1000)
  stopAt = undefined
  const isFinished = async () => expect(await finished()).toBe(now / 1000)
  expect(await checkUntil(isFinished)).toEqual(ids.slice(1))
  now += SCRUB_EVERY_MS - 1
  await checkUntil(async () => {})
  expect(checked).toEqual([])
})

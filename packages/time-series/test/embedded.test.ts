/** The embedded time series store: crashes, damage, expiry, and a full disk. */
import { execFile } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Sample, Series } from '@steading/oxql'
import { expect, onTestFinished, test } from 'vitest'
import { linkTimeSeries } from '../src/copy.ts'
import { rangeOf } from '../src/names.ts'
import type { EmbeddedOptions, EmbeddedTimeSeries } from '../src/embedded.ts'
import { commandIn, smallDiskMissing, temporaryDirectory } from '../../node/test/support/process.ts'
import { DAY, embedded } from './support/stores.ts'

const BEGIN = 20_000 * DAY
const ALL = 1_000_000

function use(directory: string, options?: Partial<EmbeddedOptions>, messages: string[] = []) {
  const store = embedded(directory, options, messages)
  onTestFinished(() => store.close())
  return store
}

const sample = (series: number, at: number, datum: Sample['datum'] = at): Sample => ({
  name: 'a:b',
  fields: { series },
  timestamp: BEGIN + at,
  datum,
})

const readAll = (store: EmbeddedTimeSeries): Promise<Series[]> =>
  store.read({ name: 'a:b', where: [] }, ALL)

const valuesOf = async (store: EmbeddedTimeSeries): Promise<Record<string, Series['values']>> =>
  Object.fromEntries((await readAll(store)).map(({ fields, values }) => [fields.series, values]))

const filesOf = (directory: string, ending: string) =>
  readdirSync(directory).filter((name) => name.endsWith(ending))

test('a log truncated or changed anywhere is read up to there, and continued', async () => {
  const original = temporaryDirectory()
  const first = embedded(original)
  const batches = [0, 1, 2].map((at) => [sample(1, at), { ...sample(2, at), startTime: 1 }])
  /** End of the log after each batch. */
  const ends: number[] = []
  for (const batch of batches) {
    await first.append(batch)
    const [log] = filesOf(original, '.log')
    ends.push(readFileSync(join(original, log!)).length)
  }
  await first.close()
  const [log] = filesOf(original, '.log')
  const bytes = readFileSync(join(original, log!))
  const attempt = async (damage: (path: string) => void, at: number) => {
    const directory = temporaryDirectory()
    cpSync(original, directory, { recursive: true })
    damage(join(directory, log!))
    const store = embedded(directory)
    const whole = ends.filter((end) => end <= at).length
    const expected =
      whole === 0 ? {} : { 1: [0, 1, 2].slice(0, whole), 2: [0, 1, 2].slice(0, whole) }
    expect(await valuesOf(store)).toEqual(expected)
    await store.append([sample(1, 9)])
    await store.close()
    const again = embedded(directory)
    expect((await valuesOf(again))[1]).toEqual([...(expected[1] ?? []), 9])
    expect((await again.status()).problem).toBe(undefined)
    await again.close()
  }
  for (let at = 0; at < bytes.length; at++) {
    await attempt((path) => truncateSync(path, at), at)
    if (at % 7 > 0) continue
    const changed = Buffer.from(bytes)
    changed[at]! ^= 0x55
    await attempt((path) => writeFileSync(path, changed), at < 8 ? 0 : at)
  }
})

test('a damaged segment loses only the damaged part, and is kept for repairs', async () => {
  const directory = temporaryDirectory()
  const first = embedded(directory)
  const times = Array.from({ length: 20 }, (_, index) => index)
  await first.append(times.flatMap((at) => [sample(1, at, Math.sin(at)), sample(2, at, at * at)]))
  await first.settle()
  const expected = await valuesOf(first)
  await first.close()
  const [name] = filesOf(directory, '.segment')
  const path = join(directory, name!)
  const bytes = readFileSync(path)
  const outcomes = new Set<string>()
  for (let at = 0; at < bytes.length; at += 7) {
    const changed = Buffer.from(bytes)
    changed[at]! ^= 0xff
    writeFileSync(path, changed)
    const messages: string[] = []
    const store = embedded(directory, {}, messages)
    const found = await valuesOf(store)
    for (const [series, values] of Object.entries(found)) expect(values).toEqual(expected[series])
    expect(messages).toEqual([
      expect.stringMatching(/^(a part of the )?time series in .* (is damaged|are lost)/),
    ])
    outcomes.add(Object.keys(found).join())
    await store.close()
    expect(readFileSync(path).equals(changed)).toBe(true)
  }
  expect([...outcomes].toSorted()).toEqual(['', '1', '2'])
})

test('leftovers of a crash during sealing or merging are found once', async () => {
  const directory = temporaryDirectory()
  const interrupted = temporaryDirectory()
  // The day of the samples is not over.
  const options = { now: () => BEGIN + 60_000 }
  const store = embedded(directory, options)
  for (let at = 0; at < 3; at++) {
    await store.append([sample(1, at)])
    if (at === 1) cpSync(directory, interrupted, { recursive: true })
    await store.settle()
  }
  const before = await valuesOf(store)
  await store.close()
  const sources = temporaryDirectory()
  cpSync(directory, sources, { recursive: true })
  // The log of a head whose segment is complete, and an unfinished file.
  for (const name of filesOf(interrupted, '.log')) {
    cpSync(join(interrupted, name), join(directory, name))
  }
  writeFileSync(join(directory, '.unfinished'), 'anything')
  const again = embedded(directory, options)
  expect(await valuesOf(again)).toEqual(before)
  // The fourth segment triggers a merge.
  await again.append([sample(1, 3)])
  await again.settle()
  expect(filesOf(directory, '.segment')).toHaveLength(1)
  await again.close()
  for (const name of filesOf(sources, '.segment'))
    cpSync(join(sources, name), join(directory, name))
  expect(filesOf(directory, '.segment')).toHaveLength(4)
  const last = use(directory, options)
  expect(await valuesOf(last)).toEqual({ 1: [0, 1, 2, 3] })
  expect(filesOf(directory, '.segment')).toHaveLength(1)
  expect(readdirSync(directory)).not.toContain('.unfinished')
})

test('one server at a time has the directory, and the next one continues after it', async () => {
  const directory = temporaryDirectory()
  const first = use(directory)
  await first.append([sample(1, 0)])
  const second = use(directory)
  const reason = /^another server has the time series/
  await expect(second.append([sample(1, 1)])).rejects.toThrow(reason)
  await expect(readAll(second)).rejects.toMatchObject({ name: 'TimeSeriesUnavailable' })
  expect(await second.status()).toMatchObject({ problem: expect.stringMatching(reason) })
  expect(await second.isElsewhere()).toBe(true)
  expect(await first.isElsewhere()).toBe(false)
  await first.close()
  const tryAgain = () =>
    second.append([sample(1, 1)]).then(
      () => true,
      () => false,
    )
  await expect.poll(tryAgain).toBe(true)
  expect(await valuesOf(second)).toEqual({ 1: [0, 1] })
  expect((await second.status()).problem).toBe(undefined)
})

test('old points are thinned without losing counts, and older ones are removed', async () => {
  const directory = temporaryDirectory()
  const MINUTE = 60_000
  let now = BEGIN + DAY
  const store = use(directory, {
    now: () => now,
    retention: { rawMs: 2 * DAY, keepMs: 10 * DAY, intervalMs: 5 * MINUTE },
  })
  const seconds = Array.from({ length: 120 }, (_, index) => index * 10_000 + 10_000)
  const point = (name: string, at: number, datum: Sample['datum'], startTime?: number): Sample => ({
    name,
    fields: {},
    timestamp: BEGIN + at,
    datum,
    startTime,
  })
  const counter = (at: number) => (at <= 7 * MINUTE ? at : at - 7 * MINUTE)
  await store.append(
    seconds.flatMap((at) => [
      point('a:gauge', at, at % 20_000 === 0 ? 1.5 : 2.25),
      point('a:flag', at, at <= 3 * MINUTE ? 1 : 0),
      point('a:hole', at, null),
      // It restarts after seven minutes.
      point('a:counter', at, counter(at), BEGIN + (at <= 7 * MINUTE ? 0 : 7 * MINUTE)),
    ]),
  )
  const read = async (name: string) => {
    const [found] = await store.read({ name, where: [] }, ALL)
    return (
      found && { ...found, timestamps: found.timestamps.map((time) => (time - BEGIN) / MINUTE) }
    )
  }
  await store.settle()
  expect((await read('a:counter'))!.values).toHaveLength(120)
  now = BEGIN + 4 * DAY
  await store.settle()
  expect(await read('a:gauge')).toMatchObject({
    timestamps: [5, 10, 15, 20],
    values: [1.875, 1.875, 1.875, 1.875],
  })
  expect(await read('a:flag')).toMatchObject({ values: [1, 0, 0, 0] })
  expect(await read('a:hole')).toMatchObject({ values: [null, null, null, null] })
  const begins = [0, 0, 7, 7, 7].map((minutes) => BEGIN + minutes * MINUTE)
  expect(await read('a:counter')).toEqual({
    fields: {},
    timestamps: [5, 7, 10, 15, 20],
    startTimes: begins,
    values: [5, 7, 3, 8, 13].map((minutes) => minutes * MINUTE),
  })
  // Downsampled points are not downsampled again.
  const [segment] = filesOf(directory, '.segment')
  const bytes = readFileSync(join(directory, segment!))
  await store.settle()
  expect(readFileSync(join(directory, segment!)).equals(bytes)).toBe(true)
  now = BEGIN + 12 * DAY
  await store.settle()
  expect(await read('a:counter')).toBe(undefined)
  expect(filesOf(directory, '.segment')).toEqual([])
})

test('inactive series leave no memory behind once they are in segments @long', async () => {
  const store = use(temporaryDirectory(), { headWeight: 200 * 64 })
  for (let batch = 0; batch < 20; batch++) {
    await store.append(
      Array.from({ length: 100 }, (_, index) => sample(batch * 100 + index, batch)),
    )
  }
  await store.settle()
  await store.append([sample(0, 100)])
  await store.settle()
  await store.append([sample(0, 101)])
  // Series of the last segment, into which all others were merged, are reported.
  const all = await readAll(store)
  expect(all).toHaveLength(2_000)
  expect(all.find(({ fields }) => fields.series === 0)!.values).toEqual([0, 100, 101])
})

test('recurring series are written once per head, not once per sample', async () => {
  const directory = temporaryDirectory()
  // Less than the weight of the series without points.
  const store = use(directory, { headWeight: 100 * 64 })
  const append = (at: number) =>
    store.append(Array.from({ length: 200 }, (_, index) => sample(index, at)))
  for (let at = 0; at < 60; at++) await append(at)
  await store.settle()
  const parts = filesOf(directory, '.segment').map((name) => rangeOf(name)![1])
  // A head of these series holds at least twenty samples of each.
  expect(Math.max(...parts)).toBeLessThanOrEqual(6)
  expect((await readAll(store)).every(({ values }) => values.length === 60)).toBe(true)
})

test('a backup of a store in use has the points from when it began', async () => {
  const directory = temporaryDirectory()
  const store = use(directory, { headWeight: 300, now: () => BEGIN + 60_000 })
  for (let at = 0; at < 20; at++) await store.append([sample(1, at), sample(2, at)])
  const before = await valuesOf(store)
  const target = join(temporaryDirectory(), 'copy')
  const copy = linkTimeSeries(directory, target)
  for (let at = 20; at < 60; at++) await store.append([sample(1, at), sample(2, at)])
  await copy
  const found = await valuesOf(use(target))
  for (const [series, values] of Object.entries(before)) {
    expect(found[series]!.slice(0, values.length)).toEqual(values)
    // There are no gaps.
    expect(found[series]).toEqual(found[series]!.map((_, at) => at))
  }
})

const noSmallDisk = smallDiskMissing()
if (noSmallDisk) console.warn(`The test of a full disk is left out: ${noSmallDisk}.`)

test.skipIf(noSmallDisk)(
  'a full disk refuses samples, loses none, and recovers once there is space @long',
  async () => {
    const directory = temporaryDirectory()
    const worker = join(import.meta.dirname, 'support/full-disk-worker.ts')
    const command = [
      ...commandIn({ directory, kilobytes: 2560 }),
      process.execPath,
      worker,
      directory,
    ]
    const { stdout } = await promisify(execFile)(command[0]!, command.slice(1))
    expect(JSON.parse(stdout)).toEqual({
      refusal: 'TimeSeriesUnavailable: the disk is full',
      problem: 'the disk is full',
      lostWhenFull: 0,
      lostAfter: 0,
      lostAfterRestart: 0,
      files: ['lock.db'],
      // Callers get the error.
      log: [],
    })
  },
)

test('a check finds each flipped bit of segments and logs', async () => {
  const directory = temporaryDirectory()
  const store = use(directory)
  const unthrottled = async () => {}
  const times = Array.from({ length: 20 }, (_, index) => index)
  await store.append(times.map((at) => sample(1, at, Math.sin(at))))
  await store.settle()
  await store.append(times.map((at) => sample(1, 100 + at)))
  await store.append(times.map((at) => sample(2, 200 + at)))
  const [segment] = filesOf(directory, '.segment')
  const [log] = filesOf(directory, '.log')
  for (const name of [log!, segment!]) {
    const path = join(directory, name)
    const whole = readFileSync(path)
    for (let at = 0; at < whole.length; at += 11) {
      const changed = Buffer.from(whole)
      changed[at]! ^= 1
      writeFileSync(path, changed)
      expect(await store.check(unthrottled)).toEqual([name])
      // Nothing in a damaged segment is trusted until the store is reopened.
      if (name === segment) break
    }
    writeFileSync(path, whole)
    if (name === log) expect(await store.check(unthrottled)).toEqual([])
  }
})

test('damage within a log is reported when the store opens, and a copy is kept', async () => {
  const directory = temporaryDirectory()
  const first = embedded(directory)
  for (let at = 0; at < 3; at++) await first.append([sample(1, at)])
  await first.close()
  const [log] = filesOf(directory, '.log')
  const path = join(directory, log!)
  const changed = readFileSync(path)
  // The second record; the third one is intact.
  const second = 8 + 8 + changed.readUInt32LE(8)
  changed[second + 8]! ^= 1
  writeFileSync(path, changed)
  const messages: string[] = []
  const store = use(directory, {}, messages)
  expect(await valuesOf(store)).toEqual({ 1: [0] })
  expect(messages).toEqual([
    expect.stringMatching(/ are damaged and partly lost; .*\.damaged is a copy/),
  ])
  await store.append([sample(1, 9)])
  await store.settle()
  const copy = `${log}.damaged`
  expect(readFileSync(join(directory, copy)).equals(changed)).toBe(true)
  expect(await store.check(async () => {})).toEqual([copy])
  await store.close()
  const again = use(directory)
  expect(await valuesOf(again)).toEqual({ 1: [0, 9] })
  expect(await again.check(async () => {})).toEqual([copy])
  rmSync(join(directory, copy))
  expect(await again.check(async () => {})).toEqual([])
})

/** The embedded time series store after the clock was ahead, or behind. */
import { cpSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { AHEAD_KEPT_MS, AHEAD_MS } from '@steading/api/rules'
import type { Sample } from '@steading/oxql'
import { expect, onTestFinished, test } from 'vitest'
import type { EmbeddedTimeSeries } from '../src/embedded.ts'
import { untilOf } from '../src/names.ts'
import { temporaryDirectory } from '../../node/test/support/process.ts'
import { DAY, embedded } from './support/stores.ts'

const HOUR = DAY / 24
const SECOND = 1_000
/** Noon, so that an hour is within one day. */
const BEGIN = 20_000 * DAY + DAY / 2

/** A store in a directory with a settable clock, in milliseconds since `BEGIN`. */
function use(directory = temporaryDirectory()) {
  const messages: string[] = []
  let now = 0
  const make = () => embedded(directory, { now: () => BEGIN + now }, messages)
  let store = make()
  onTestFinished(() => store.close())
  return {
    directory,
    messages,
    get store(): EmbeddedTimeSeries {
      return store
    },
    set(at: number) {
      now = at
    },
    async restart() {
      await store.close()
      store = make()
    },
    /** Appends samples of two series at the current time, which is the value as well. */
    async measure(...at: number[]) {
      for (const moment of at) {
        now = moment
        await store.append([1, 2].map((series) => sample(series, moment)))
      }
    },
    async times() {
      const found = await store.read({ name: 'a:b', where: [] }, 1_000)
      const [one, two] = found.map(({ timestamps, values }) => {
        expect(timestamps.map((time) => time - BEGIN)).toEqual(values)
        return values
      })
      expect(one).toEqual(two)
      return one
    },
    marked: () => readdirSync(directory).filter((name) => untilOf(name) < Infinity),
  }
}

const sample = (series: number, at: number): Sample => ({
  name: 'a:b',
  fields: { series },
  timestamp: BEGIN + at,
  datum: at,
})

test('points of the future are set aside at once, also in segments, and after restarts', async () => {
  for (const settles of [false, true]) {
    for (const restarts of [false, true]) {
      const used = use()
      const settle = async () => settles && (await used.store.settle())
      await used.measure(0, 5 * SECOND)
      await settle()
      await used.measure(DAY, DAY + 5 * SECOND)
      await settle()
      await used.measure(DAY + 10 * SECOND)
      used.set(10 * SECOND)
      expect(await used.times()).toEqual([0, 5 * SECOND])
      if (restarts) await used.restart()
      await used.measure(10 * SECOND, 15 * SECOND)
      const right = [0, 5, 10, 15].map((at) => at * SECOND)
      expect(await used.times()).toEqual(right)
      expect(await used.store.status()).toMatchObject({
        dropped: 0,
        ahead: { count: expect.any(Number), since: BEGIN + 10 * SECOND },
      })
      expect(used.messages).toEqual([
        expect.stringMatching(/^time series that are later than the clock \(.*\) are set aside/),
      ])
      await used.restart()
      await used.store.settle()
      expect(await used.times()).toEqual(right)
      expect((await used.store.status()).ahead?.since).toBe(BEGIN + 10 * SECOND)
      // Neither a restart nor work on the segments reports it again.
      expect(used.messages).toHaveLength(1)
    }
  }
})

test('a clock that is set back slightly drops samples until it has caught up', async () => {
  const used = use()
  await used.measure(0, AHEAD_MS)
  await used.measure(5 * SECOND)
  expect(await used.times()).toEqual([0, AHEAD_MS])
  expect(await used.store.status()).toMatchObject({ dropped: 2 })
  expect((await used.store.status()).ahead).toBe(undefined)
  // A sample that the clock cannot have reached is dropped as well.
  await used.store.append([sample(1, 5 * SECOND + AHEAD_MS + 1)])
  expect(await used.times()).toEqual([0, AHEAD_MS])
  await used.measure(AHEAD_MS + 1)
  expect(await used.times()).toEqual([0, AHEAD_MS, AHEAD_MS + 1])
})

test('a sample in transit when the clock was set is accepted', async () => {
  const used = use()
  await used.measure(0, DAY)
  used.set(10 * SECOND)
  await used.store.append([1, 2].map((series) => sample(series, 8 * SECOND)))
  expect(await used.times()).toEqual([0, 8 * SECOND])
})

test('points of the future are removed if others were measured for their time', async () => {
  const used = use()
  await used.measure(0)
  await used.measure(HOUR, HOUR + SECOND)
  await used.store.settle()
  await used.measure(2 * HOUR)
  // A part of the first segment is valid; the others have nothing else.
  await used.measure(SECOND, 2 * SECOND)
  await used.store.settle()
  expect(used.marked()).toHaveLength(2)
  const later = [HOUR / 2, HOUR, 2 * HOUR, 3 * HOUR]
  await used.measure(...later)
  await used.store.settle()
  expect(used.marked()).toEqual([])
  expect(await used.times()).toEqual([0, SECOND, 2 * SECOND, ...later])
  expect((await used.store.status()).ahead).toBe(undefined)
  await used.restart()
  expect(await used.times()).toEqual([0, SECOND, 2 * SECOND, ...later])
})

test('points of the distant future are removed after a while', async () => {
  const used = use()
  await used.measure(0, 400 * DAY)
  await used.measure(SECOND)
  await used.store.settle()
  await used.measure(AHEAD_KEPT_MS)
  await used.store.settle()
  expect(used.marked()).toHaveLength(1)
  await used.measure(AHEAD_KEPT_MS + 2 * SECOND)
  await used.store.settle()
  expect(used.marked()).toEqual([])
  expect(await used.times()).toEqual([0, SECOND, AHEAD_KEPT_MS, AHEAD_KEPT_MS + 2 * SECOND])
})

test('points from before the clock was behind are restored when it is right again', async () => {
  for (const restarts of [false, true]) {
    const used = use()
    await used.measure(0, SECOND)
    await used.store.settle()
    await used.measure(2 * SECOND)
    await used.restart()
    // The machine starts with an unset clock.
    await used.measure(-900 * DAY, -900 * DAY + SECOND)
    expect(await used.times()).toEqual([-900 * DAY, -900 * DAY + SECOND])
    expect((await used.store.status()).ahead?.count).toBe(2)
    if (restarts) {
      used.set(HOUR)
      await used.restart()
    }
    await used.measure(HOUR)
    await used.store.settle()
    expect((await used.store.status()).ahead).toBe(undefined)
    const all = [-900 * DAY, -900 * DAY + SECOND, 0, SECOND, 2 * SECOND, HOUR]
    expect(await used.times()).toEqual(all)
    // Segments of one day are merged, in order of time.
    await used.measure(2 * HOUR, DAY)
    await used.store.settle()
    expect(await used.times()).toEqual([...all, 2 * HOUR, DAY])
  }
})

test('a crash at any point of setting points aside does no harm', async () => {
  const used = use()
  await used.measure(0)
  await used.measure(HOUR)
  await used.store.settle()
  await used.measure(HOUR + SECOND)
  await used.store.settle()
  await used.measure(HOUR + 2 * SECOND)
  await used.store.close()
  const before = temporaryDirectory()
  cpSync(used.directory, before, { recursive: true })
  const names = readdirSync(before)
  used.set(SECOND)
  await used.restart()
  await used.times()
  const after = temporaryDirectory()
  cpSync(used.directory, after, { recursive: true })
  const unmarked = (name: string) => name.replace(/\.ahead-\d+/, '')
  const renamed = readdirSync(after).filter((name) => untilOf(name) < Infinity)
  expect(renamed.map(unmarked).filter((name) => !names.includes(name))).toEqual([])
  expect(renamed.length).toBeGreaterThan(1)
  const made = readdirSync(after).filter((name) => !names.includes(unmarked(name)))
  for (let steps = 0; steps <= renamed.length; steps++) {
    const crashed = use()
    cpSync(before, crashed.directory, { recursive: true })
    // The new log is created first.
    for (const name of made) cpSync(join(after, name), join(crashed.directory, name))
    for (const name of renamed.slice(0, steps)) {
      renameSync(join(crashed.directory, unmarked(name)), join(crashed.directory, name))
    }
    await crashed.measure(3 * SECOND)
    expect(await crashed.times()).toEqual([0, 3 * SECOND])
    await crashed.store.settle()
    expect(await crashed.times()).toEqual([0, 3 * SECOND])
  }
})

test('a crash after a segment was rewritten without points set aside leaves either version', async () => {
  const used = use()
  await used.measure(0, HOUR, SECOND)
  await used.store.settle()
  const [marked] = used.marked()
  const kept = temporaryDirectory()
  cpSync(join(used.directory, marked!), join(kept, marked!))
  await used.measure(HOUR, 2 * HOUR)
  // Stops running work, before segments of a size are merged.
  await used.store.close()
  await used.restart()
  await used.times()
  await used.store.close()
  const written = marked!.replace(/\.ahead-\d+/, '')
  expect(readdirSync(used.directory)).toContain(written)
  cpSync(join(kept, marked!), join(used.directory, marked!))
  await used.restart()
  expect(await used.times()).toEqual([0, SECOND, HOUR, 2 * HOUR])
  expect(used.marked()).toEqual([])
  rmSync(kept, { recursive: true })
})

test('a server without the time series reports them, too', async () => {
  const used = use()
  await used.measure(0, DAY, SECOND)
  const other = embedded(used.directory)
  onTestFinished(() => other.close())
  expect(await other.isElsewhere()).toBe(true)
  expect((await other.status()).ahead).toEqual({ count: 1, since: BEGIN + SECOND })
})

/**
 * Time series store in the data directory. New samples are in memory and in a log, older ones in
 * segments; see the README of this package.
 */
import { readdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setImmediate, setTimeout as pause } from 'node:timers/promises'
import { AHEAD_MS } from '@steading/api/rules'
import {
  aheadMessage,
  type Log as ServerLog,
  type Throttle,
  type TimeSeriesStatus,
  type TimeSeriesStore,
  TimeSeriesUnavailable,
} from '@steading/control-plane/ports'
import type { Sample, Selection, Series } from '@steading/oxql'
import { errorMessage, freeBytes, isNoSpace, syncDirectory } from '@steading/files'
import { BadBytes } from './bits.ts'
import { breathing } from './breathing.ts'
import { Head, type HeadSeries, keyOf, piecesOf, SERIES_WEIGHT } from './head.ts'
import { Log, RecordWriter } from './log.ts'
import { DamagedSource, merge } from './merge.ts'
import {
  isDamagedName,
  isUnfinished,
  logName,
  logNumber,
  rangeOf,
  segmentName,
  UNFINISHED,
  untilOf,
} from './names.ts'
import { nextTask, type Retention, type Task } from './plan.ts'
import { Reader } from './reader.ts'
import { Segment, type SegmentTable, SegmentWriter } from './segment.ts'
import { rowKey } from './series-group.ts'
import { sortedByKey } from './sort.ts'

/** The lock of a directory, held by this process until it is released. */
export interface DirectoryLock {
  release: () => void
}

export interface EmbeddedOptions {
  directory: string
  /**
   * Creates a directory if it does not exist, and locks it for this process alone.
   * @returns undefined if another process holds the lock
   */
  lock: (directory: string) => DirectoryLock | undefined
  retention: Retention
  /** Bytes to leave free on the disk. */
  keepFree: number
  log: ServerLog
  now?: () => number
  /** Numbers in memory after which a head becomes a segment. */
  headWeight?: number
}

/** Maximum age of unsynced samples, which a crash of the machine loses. */
const SYNC_MS = 500
/** About 25 MB, and as much again while being written. */
const HEAD_WEIGHT = 3_000_000
const HEAD_BYTES = 48 * 1024 * 1024
/** With many series, their names alone would fill a log. */
const HEAD_BYTES_PER_SERIES = 1024
/** Maximum age of a head, so that points of quiet series reach a segment as well. */
const HEAD_MS = 2 * 60 * 60_000
/** Samples of an append between which other work has its turn: a few milliseconds, if all are new. */
const SAMPLES_PER_TURN = 200
/** Maximum number of heads to be written; further appends wait. */
const MOST_WAITING = 2
/** Series in segment tables that are kept in memory. */
const TABLE_SERIES = 200_000
/** Background work rests after each slice. */
const REST_MS = 15
/** Merging must not rest with more segments than this. */
const MANY_SEGMENTS = 64
const RETRY_MS = 5_000
const HOUSEKEEPING_MS = 60 * 60_000
/** Interval of checking the free space and another server's lock again. */
const RECHECK_MS = 1_000

/** A head with its log. */
interface Part {
  number: number
  head: Head
  log: Log
  began: number
  /** Points from this time on are set aside as points of the future; Infinity if there are none. */
  until: number
}

/** Current problems with opening, appending, syncing and background work. */
type Problems = Partial<Record<'open' | 'append' | 'sync' | 'work', string>>

/** Background work that is cancelled: the store is closing, or its files are being renamed. */
class Halted extends Error {}

const diskFull = 'the disk is full'
const heldElsewhere =
  'another server has the time series of this data directory; several servers need --metrics-url'

/** Status of files with points set aside. */
const aheadOf = (untils: readonly number[]): Pick<TimeSeriesStatus, 'ahead'> => {
  const marked = untils.filter((until) => until < Infinity)
  return marked.length > 0 ? { ahead: { count: marked.length, since: Math.min(...marked) } } : {}
}

const isLogged = (part: keyof Problems, problem: string): boolean =>
  (part === 'sync' || part === 'work') && problem !== diskFull

const problemOf = (error: unknown): string => (isNoSpace(error) ? diskFull : errorMessage(error))

export class EmbeddedTimeSeries implements TimeSeriesStore {
  readonly #options: Required<EmbeddedOptions>
  #lock: DirectoryLock | undefined
  #opening: Promise<void> | undefined
  #openedAt = -Infinity
  /** In order of number. */
  #segments: Segment[] = []
  /** Complete heads, oldest first. */
  #waiting: Part[] = []
  /** Undefined until the store is open. */
  #active: Part | undefined
  /** Times of the last samples of the series in the last written head. */
  #recent = new Map<string, number>()
  /** Segments whose tables are in memory, least recently used first. */
  readonly #tables = new Set<Segment>()
  readonly #record = new RecordWriter()
  /** Appends run sequentially. */
  #turn: Promise<unknown> = Promise.resolve()
  #syncTimer: NodeJS.Timeout | undefined
  #housekeeping: NodeJS.Timeout | undefined
  #working: Promise<void> | undefined
  #workFailedAt = -Infinity
  #space = { at: -Infinity, enough: true }
  #appended = 0
  #dropped = 0
  readonly #problems: Problems = {}
  #closed = false
  /** Set while files are renamed. */
  #halted = false
  /** Names of segments that cannot be opened. */
  #lost: string[] = []
  readonly #reported = new Set<string>()

  constructor(options: EmbeddedOptions) {
    this.#options = { now: () => Date.now(), headWeight: HEAD_WEIGHT, ...options }
  }

  async append(samples: readonly Sample[]): Promise<void> {
    const mine = this.#turn.then(() => this.#append(samples))
    this.#turn = mine.catch(() => {})
    await mine
  }

  async read(selection: Selection, maxPoints: number, signal?: AbortSignal): Promise<Series[]> {
    await this.#open()
    // The clock may have been set back since the last samples.
    const { to = Infinity } = selection
    const end = Math.min(to, this.#options.now() + AHEAD_MS)
    const reader = new Reader({ ...selection, to: end }, maxPoints)
    const pause = breathing()
    const breathe = async () => {
      signal?.throwIfAborted()
      await pause()
    }
    // Captures the current parts at once, so that points are neither missed nor found twice while a
    // head becomes a segment.
    const segments = this.#segments.filter(({ facts }) => reader.overlaps(facts))
    for (const segment of segments) segment.use()
    try {
      const heads = this.#heads()
        .filter(({ head }) => reader.overlaps(head))
        .map(({ head, until }) => reader.takeHead(head, until))
      const add = []
      for (const segment of segments) {
        signal?.throwIfAborted()
        await this.#table(segment)
        add.push(await reader.takeSegment(segment, breathe))
      }
      for (const addSegment of add) await addSegment()
      for (const addHead of heads) addHead()
      const found: Series[] = []
      for (const series of reader.result()) {
        found.push(series)
        await breathe()
      }
      return found
    } finally {
      for (const segment of segments) await segment.release()
    }
  }

  async isElsewhere(): Promise<boolean> {
    await this.#open().catch(() => {})
    return !this.#lock && this.#problems.open === heldElsewhere
  }

  async check(throttle: Throttle): Promise<string[]> {
    await this.#open()
    const { directory, now, retention } = this.#options
    const damaged: string[] = []
    for (const name of await readdir(directory)) {
      if (this.#lost.includes(name)) damaged.push(name)
      if (!isDamagedName(name)) continue
      const { mtimeMs } = await stat(join(directory, name))
      if (mtimeMs < now() - retention.keepMs) await rm(join(directory, name))
      else damaged.push(name)
    }
    for (const segment of this.#segments.slice()) {
      if (!this.#segments.includes(segment)) continue
      segment.use()
      try {
        if (!(await segment.check(throttle))) damaged.push(basename(segment.path))
      } finally {
        await segment.release()
      }
    }
    for (const part of this.#heads()) {
      const isThere = () => this.#heads().includes(part)
      // A log whose head becomes a segment meanwhile is closed.
      const isWhole = await part.log.check(throttle).catch((error: unknown) => {
        if (isThere()) throw error
        return true
      })
      if (!isWhole && isThere()) damaged.push(basename(part.log.path))
    }
    return damaged
  }

  /** Takes no files: a server that only asks leaves them to one that stores samples. */
  async status(): Promise<TimeSeriesStatus> {
    await this.#opening?.catch(() => {})
    const counts = { appended: this.#appended, dropped: this.#dropped }
    const { open, append, sync, work } = this.#problems
    const problem = open ?? append ?? sync ?? work
    if (!this.#lock) {
      const names = await readdir(this.#options.directory).catch(() => [])
      return { series: 0, ...counts, ...aheadOf(names.map(untilOf)), problem }
    }
    const parts = this.#heads()
    // Series of earlier days are not counted: they may no longer exist.
    const keys = new Set<string>()
    const breathe = breathing()
    for (const known of [this.#recent, ...parts.map(({ head }) => head)]) {
      for (const key of known.keys()) {
        keys.add(key)
        await breathe()
      }
    }
    const series = Math.max(keys.size, this.#segments.at(-1)?.facts.series ?? 0)
    let bytes = 0
    for (const { size } of this.#segments) bytes += size
    for (const { log } of parts) bytes += log.size
    const ahead = aheadOf(this.#ends().map(({ until }) => until))
    return { series, ...counts, bytes, ...ahead, ...(problem && { problem }) }
  }

  /** Waits for running work, and releases the directory to other processes. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#syncTimer)
    clearTimeout(this.#housekeeping)
    await this.#turn
    await this.#opening?.catch(() => {})
    await this.#working
    await this.#closeFiles()
  }

  async #closeFiles(): Promise<void> {
    for (const { log } of this.#heads()) {
      await log.sync().catch(() => {})
      await log.close()
    }
    for (const segment of this.#segments) await segment.retire()
    this.#waiting = []
    this.#active = undefined
    this.#segments = []
    this.#lock?.release()
    this.#lock = undefined
  }

  /** Heads with their logs, oldest first. */
  #heads(): Part[] {
    return this.#active ? [...this.#waiting, this.#active] : this.#waiting
  }

  /** For tests and benchmarks: writes all samples to segments and completes all due work. */
  async settle(): Promise<void> {
    await this.#open()
    const mine = this.#turn.then(() => this.#rotate())
    this.#turn = mine.catch(() => {})
    await mine
    this.#work()
    await this.#working
  }

  /** Opened on first use: most servers in tests never use it. */
  #open(): Promise<void> {
    if (this.#closed) return Promise.reject(new Error('the store of time series is closed'))
    if (this.#opening) return this.#opening
    const since = performance.now() - this.#openedAt
    if (this.#problems.open && since < RECHECK_MS) {
      return Promise.reject(new TimeSeriesUnavailable(this.#problems.open))
    }
    this.#openedAt = performance.now()
    this.#opening = this.#openDirectory().then(
      () => this.#solved('open'),
      async (error: unknown) => {
        await this.#closeFiles()
        this.#opening = undefined
        this.#fail('open', problemOf(error))
        throw new TimeSeriesUnavailable(this.#problems.open!)
      },
    )
    return this.#opening
  }

  async #openDirectory(): Promise<void> {
    const { directory } = this.#options
    this.#lock = this.#options.lock(directory)
    if (!this.#lock) throw new TimeSeriesUnavailable(heldElsewhere)
    const names = await readdir(directory)
    for (const name of names.filter(isUnfinished)) await rm(join(directory, name))
    const ranges = names
      .map((name) => ({ name, range: rangeOf(name) }))
      .filter(({ range }) => range !== undefined)
      .map(({ name, range }) => ({ name, first: range![0], last: range![1], until: untilOf(name) }))
    // Sources of a merged or rewritten segment, left by a crash.
    const covered = ({ first, last, until }: (typeof ranges)[number]) =>
      ranges.some(
        (other) =>
          other.first <= first &&
          other.last >= last &&
          (other.last - other.first > last - first || other.until > until),
      )
    this.#segments = []
    this.#lost = []
    for (const range of ranges.sort((a, b) => a.first - b.first)) {
      const path = join(directory, range.name)
      if (covered(range)) {
        await rm(path)
        continue
      }
      try {
        this.#segments.push(await this.#segmentAt(path))
      } catch (error) {
        if (!(error instanceof BadBytes)) throw error
        this.#report(`time series in ${path} are lost: ${error.message}`)
        this.#lost.push(range.name)
      }
    }
    await this.#openLogs(names, Math.max(0, ...ranges.map(({ last }) => last)))
    const now = this.#options.now()
    if (this.#isAhead(now)) await this.#setAside(now)
    this.#work()
    this.#keepHouse()
  }

  /** Reads the logs of heads that are in no segment; the last head remains active. */
  async #openLogs(names: readonly string[], written: number): Promise<void> {
    const { directory } = this.#options
    const numbers = names
      .map((name) => [name, logNumber(name)] as const)
      .filter(([, number]) => number !== undefined)
      .sort(([, a], [, b]) => a! - b!)
    for (const [name, number] of numbers) {
      const path = join(directory, name)
      if (number! <= written) {
        await rm(path)
        continue
      }
      const head = new Head()
      const log = await Log.replay(path, head, (copy) =>
        this.#report(`time series in ${path} are damaged and partly lost; ${copy} is a copy`),
      )
      const part = { number: number!, head, log, began: performance.now(), until: untilOf(name) }
      this.#waiting.push(part)
    }
    this.#active = this.#waiting.pop() ?? (await this.#newPart(written + 1))
  }

  async #newPart(number: number): Promise<Part> {
    const { directory } = this.#options
    const log = await Log.create(join(directory, logName(number)))
    await syncDirectory(directory)
    return { number, head: new Head(), log, began: performance.now(), until: Infinity }
  }

  async #append(samples: readonly Sample[]): Promise<void> {
    await this.#open()
    try {
      const now = this.#options.now()
      await this.#followClock(now, samples)
      await this.#makeRoom()
      await this.#take(samples, now)
      this.#solved('append')
    } catch (error) {
      if (!(error instanceof TimeSeriesUnavailable)) this.#fail('append', problemOf(error))
      throw isNoSpace(error) ? new TimeSeriesUnavailable(diskFull) : error
    }
  }

  /** Waits for free memory, and checks the free disk space. */
  async #makeRoom(): Promise<void> {
    const { keepFree, directory } = this.#options
    const space = this.#space
    if (!space.enough || performance.now() - space.at > RECHECK_MS) {
      space.enough = (await freeBytes(directory)) > keepFree
      space.at = performance.now()
    }
    if (!space.enough) {
      this.#fail('append', 'the remaining space on the disk is reserved for the database')
      throw new TimeSeriesUnavailable(this.#problems.append!)
    }
    if (!this.#isFull(this.#active!)) return
    while (this.#waiting.length >= MOST_WAITING) {
      const { work } = this.#problems
      const since = performance.now() - this.#workFailedAt
      if (work && since < RECHECK_MS) throw new TimeSeriesUnavailable(work)
      this.#work()
      await this.#working
    }
    await this.#rotate()
  }

  /**
   * Whether a head should be written. Each series costs memory in every head and time in every
   * segment, so a head waits until the weight of its points matches that of its recurring series.
   * One-off series are written early.
   */
  #isFull({ head, log, began }: Part): boolean {
    const { headWeight } = this.#options
    const mostBytes = Math.max(HEAD_BYTES, head.returned * HEAD_BYTES_PER_SERIES)
    if (head.weight >= Math.max(headWeight, 2 * head.returned * SERIES_WEIGHT)) return true
    return log.size >= mostBytes || (head.samples > 0 && performance.now() - began > HEAD_MS)
  }

  /** Starts a new head; the old one is written to a segment. */
  async #rotate(): Promise<void> {
    const active = this.#active!
    if (active.head.samples === 0) return
    const next = await this.#newPart(active.number + 1)
    await active.log.sync()
    this.#waiting.push(active)
    this.#active = next
    this.#work()
  }

  /** End times of all files, and the times from which they are set aside. */
  #ends(): { to: number; until: number }[] {
    return [
      ...this.#segments.map(({ facts, until }) => ({ to: facts.to, until })),
      ...this.#heads().map(({ head, until }) => ({ to: head.to, until })),
    ]
  }

  /** Whether there are points that the clock cannot have reached yet. */
  #isAhead(now: number): boolean {
    return this.#ends().some(({ to, until }) => Math.min(to, until - 1) > now + AHEAD_MS)
  }

  /** Detects clock changes before samples are appended. */
  async #followClock(now: number, samples: readonly Sample[]): Promise<void> {
    if (this.#isAhead(now)) {
      // Measurements from just before are accepted as well.
      const recent = samples.map(({ timestamp }) => timestamp).filter((at) => at > now - AHEAD_MS)
      await this.#setAside(Math.min(now, ...recent))
    }
    // The time of points set aside has come. The next head shows whether others are measured then.
    const { head } = this.#active!
    const passed = this.#ends().filter(({ to, until }) => until < Infinity && to < now)
    if (passed.some(({ to }) => head.to < to)) await this.#rotate()
    if (passed.length > 0) this.#work()
  }

  /**
   * Sets points of the future aside: they stay in their files, whose names are marked with the
   * time. Points from that time on are not read, and new samples, in a new head, may be earlier
   * than them. A crash in between leaves files that are still to be renamed.
   */
  async #setAside(until: number): Promise<void> {
    const { directory, log } = this.#options
    this.#halted = true
    try {
      await this.#working
      if (this.#active!.head.to >= until) await this.#rotate()
      for (const part of this.#waiting) {
        if (part.head.to < until || part.until <= until) continue
        await part.log.rename(join(directory, logName(part.number, until)))
        part.until = until
      }
      for (const segment of this.#segments) {
        if (segment.facts.to < until || segment.until <= until) continue
        const [first, last] = rangeOf(segment.path)!
        await segment.rename(join(directory, segmentName(first, last, until)))
      }
      await syncDirectory(directory)
    } finally {
      this.#halted = false
    }
    for (const [key, last] of this.#recent) {
      if (last >= until) this.#recent.set(key, until - 1)
    }
    log(aheadMessage(until))
    this.#work()
  }

  async #take(samples: readonly Sample[], now: number): Promise<void> {
    const { head, log } = this.#active!
    const record = this.#record
    record.clear()
    const taken: [HeadSeries, Sample][] = []
    /** Times of the last samples, for restoring them if the log cannot be written. */
    const before = new Map<HeadSeries, number>()
    try {
      for (const [index, sample] of samples.entries()) {
        if (index > 0 && index % SAMPLES_PER_TURN === 0) await setImmediate()
        // The clock was set back while the sample was in transit.
        if (sample.timestamp > now + AHEAD_MS) continue
        const series = head.find(sample) ?? head.add(sample, await this.#lastBefore(sample))
        const { timestamp, startTime, datum } = sample
        if (timestamp <= series.last) continue
        if (!before.has(series)) before.set(series, series.last)
        if (!series.logged) record.series(series)
        record.sample(series, timestamp, startTime, datum)
        series.logged = true
        series.last = timestamp
        if (startTime !== undefined) series.startTime = startTime
        taken.push([series, sample])
      }
      if (taken.length > 0) await log.append(record.finish())
    } catch (error) {
      for (const [series, last] of before) {
        series.last = last
        // The log has to repeat its data about the series.
        series.logged = false
        series.startTime = undefined
      }
      throw error
    }
    for (const [index, [series, sample]] of taken.entries()) {
      if (index > 0 && index % SAMPLES_PER_TURN === 0) await setImmediate()
      head.push(series, sample)
    }
    this.#appended += samples.length
    this.#dropped += samples.length - taken.length
    if (taken.length > 0) this.#syncSoon()
  }

  /** Time of the last sample of a series that is not in the head. */
  async #lastBefore({ name, fields, timestamp }: Sample): Promise<number> {
    const names = Object.keys(fields).sort()
    const values = names.map((field) => fields[field]!)
    for (const { head, until } of this.#waiting.toReversed()) {
      const last = head.findValues(name, names, values)?.last
      if (last !== undefined) return Math.min(last, until - 1)
    }
    const recent = this.#recent.get(keyOf(name, names, values))
    if (recent !== undefined) return recent
    // Usually no segment has points as new.
    for (const segment of this.#segments.toReversed()) {
      if (segment.facts.to < timestamp || segment.until <= timestamp) continue
      const last = (await this.#table(segment)).lastOf(name, names, values)
      if (last > -Infinity) return Math.min(last, segment.until - 1)
    }
    return -Infinity
  }

  #syncSoon(): void {
    this.#syncTimer ??= setTimeout(() => {
      this.#syncTimer = undefined
      const log = this.#active?.log
      if (this.#closed || !log || log.isSynced) return
      log.sync().then(
        () => this.#solved('sync'),
        (error: unknown) => this.#fail('sync', problemOf(error)),
      )
    }, SYNC_MS).unref()
  }

  /** The table of a segment; recently used ones are kept in memory. */
  async #table(segment: Segment): Promise<SegmentTable> {
    this.#tables.delete(segment)
    this.#tables.add(segment)
    let series = 0
    for (const { facts } of this.#tables) series += facts.series
    for (const other of this.#tables) {
      if (series <= TABLE_SERIES || other === segment) break
      series -= other.facts.series
      this.#tables.delete(other)
      other.forgetTable()
    }
    return segment.table()
  }

  /** Background work yields to other work after each slice, and may end there. */
  #resting(rest: number): () => Promise<void> {
    return breathing(async () => {
      if (this.#closed || this.#halted) throw new Halted()
      if (this.#segments.length < MANY_SEGMENTS) await pause(rest)
      else await setImmediate()
    })
  }

  /** Runs due work in the background. */
  #work(): void {
    if (this.#closed || this.#halted || this.#working) return
    this.#working = this.#workOff()
      .then(
        () => this.#solved('work'),
        (error: unknown) => {
          if (error instanceof Halted) return
          this.#workFailedAt = performance.now()
          this.#fail('work', problemOf(error))
          setTimeout(() => this.#work(), RETRY_MS).unref()
        },
      )
      .finally(() => (this.#working = undefined))
  }

  async #workOff(): Promise<void> {
    for (;;) {
      if (this.#closed || this.#halted) return
      const [oldest] = this.#waiting
      if (oldest) {
        await this.#seal(oldest)
        continue
      }
      const { now, retention } = this.#options
      const task = nextTask(this.#segments, this.#active!.head, now(), retention)
      if (!task) return
      await this.#do(task).catch((error: unknown) => {
        // The next plan excludes it.
        if (!(error instanceof DamagedSource)) throw error
      })
    }
  }

  /** Writes a head to a segment. */
  async #seal({ number, head, log, until }: Part): Promise<void> {
    const breathe = this.#resting(1)
    const recent = new Map<string, number>()
    for (const [key, last] of head.lastTimes(until)) {
      recent.set(key, last)
      await breathe()
    }
    const path = join(this.#options.directory, segmentName(number, number, until))
    const segment = await this.#write(path, 0, async (writer) => {
      for (const group of head.groups.all()) {
        const { name, fields } = group
        const rows: { key: string; series: HeadSeries }[] = []
        for (let row = 0; row < group.rows; row++) {
          const series = head.seriesAt(group, row)
          const { last, pieces, open } = series
          if (last === -Infinity || !(open || pieces.length > 0)) continue
          rows.push({ key: rowKey(group.valuesOf(row)), series })
          await breathe()
        }
        for (const { series } of await sortedByKey(rows, breathe)) {
          writer.add(name, fields, group.valuesOf(series.row), piecesOf(series))
          await writer.relieve()
          await breathe()
        }
      }
    })
    if (segment) this.#segments.push(segment)
    this.#waiting.shift()
    this.#recent = recent
    await log.close()
    await rm(log.path)
  }

  /** @returns undefined if there was nothing to write */
  async #write(
    path: string,
    interval: number,
    fill: (writer: SegmentWriter) => Promise<void>,
  ): Promise<Segment | undefined> {
    const unfinished = join(this.#options.directory, UNFINISHED)
    const writer = await SegmentWriter.create(unfinished, interval)
    try {
      await fill(writer)
      if (writer.isEmpty) {
        await writer.abandon()
        return undefined
      }
      await writer.finish(path, this.#resting(1))
    } catch (error) {
      await writer.abandon()
      throw error
    }
    return this.#segmentAt(path)
  }

  async #do(task: Task<Segment>): Promise<void> {
    const { segments } = task
    if (task.kind === 'restore') {
      const { directory, log } = this.#options
      for (const segment of segments) {
        await segment.rename(join(directory, segmentName(...rangeOf(segment.path)!)))
      }
      await syncDirectory(directory)
      log('time series that were set aside are restored: the clock was behind')
      return
    }
    let made: Segment | undefined
    if (task.kind === 'write') {
      const { directory } = this.#options
      const [first] = rangeOf(segments[0]!.path)!
      const [, last] = rangeOf(segments.at(-1)!.path)!
      const path = join(directory, segmentName(first, last))
      for (const segment of segments) await this.#table(segment)
      made = await this.#write(path, task.interval, (writer) =>
        merge(segments, writer, {
          interval: task.interval,
          breathe: this.#resting(REST_MS),
        }),
      )
    }
    const at = this.#segments.indexOf(segments[0]!)
    this.#segments.splice(at, segments.length, ...(made ? [made] : []))
    for (const segment of segments) {
      this.#tables.delete(segment)
      await segment.retire()
      if (segment.path !== made?.path) await rm(segment.path)
    }
  }

  /** Periodically checks for work that has become due. */
  #keepHouse(): void {
    this.#housekeeping = setTimeout(() => {
      if (this.#closed) return
      this.#work()
      this.#keepHouse()
    }, HOUSEKEEPING_MS).unref()
  }

  /** Failures of calls are thrown to their callers; background failures are logged. */
  #fail(part: keyof Problems, problem: string): void {
    if (this.#problems[part] === problem) return
    this.#problems[part] = problem
    if (isLogged(part, problem)) this.#options.log(`time series are not written: ${problem}`)
  }

  #solved(part: keyof Problems): void {
    const problem = this.#problems[part]
    if (problem === undefined) return
    delete this.#problems[part]
    if (isLogged(part, problem)) this.#options.log('time series are written again')
  }

  #segmentAt(path: string): Promise<Segment> {
    return Segment.open(path, () =>
      this.#report(`a part of the time series in ${path} is damaged and left out`),
    )
  }

  /** Logs a message once. */
  #report(message: string): void {
    if (this.#reported.has(message)) return
    this.#reported.add(message)
    this.#options.log(message)
  }
}

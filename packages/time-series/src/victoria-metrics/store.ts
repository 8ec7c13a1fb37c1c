import { AHEAD_KEPT_MS, AHEAD_MS } from '@steading/api/rules'
import {
  aheadMessage,
  type TimeSeriesStatus,
  type TimeSeriesStore,
  TimeSeriesUnavailable,
  type Log,
} from '@steading/control-plane/ports'
import {
  type FieldValue,
  meetsAll,
  type Sample,
  type Selection,
  type Series,
  TooManyPoints,
} from '@steading/oxql'
import { errorMessage } from '@steading/files'
import { CallFailed, Client } from './client.ts'
import {
  fieldsText,
  fieldsTextOf,
  keyOf,
  linesOf,
  matchersOf,
  nameOf,
  PointsBuilder,
} from './mapping.ts'

/** Delay before samples are sent, to batch them. */
const SEND_MS = 300
/** Maximum samples per call. */
const SEND_SAMPLES = 20_000
const RETRY_MS = 1_000
/** Queued samples after which appends wait as well. */
const AHEAD = 4 * SEND_SAMPLES
/** Maximum queued samples during an outage of VictoriaMetrics; further ones are refused. */
const MOST_WAITING = 500_000
/** Milliseconds until sent samples are certainly visible in VictoriaMetrics. */
const VISIBLE_MS = 15_000
/** Calls whose samples are kept until they are visible. */
const MOST_SENT = 100
/** Series whose last times are cached, most recent first. */
const MOST_KNOWN = 500_000
/** Latest time of queries: the beginning of the year 2200. */
const END_OF_TIME = 7_258_118_400_000

/** Samples sent together, and the time. */
interface Sent {
  at: number
  samples: readonly Sample[]
}

/** A time series store in VictoriaMetrics, which several servers can share. */
export class VictoriaMetricsTimeSeries implements TimeSeriesStore {
  readonly #client: Client
  readonly #log: Log
  /** Time of the last sample of each series, least recently written first. */
  readonly #last = new Map<string, number>()
  #waiting: Sample[] = []
  #sent: Sent[] = []
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | undefined
  /** Appends run sequentially. */
  #turn: Promise<unknown> = Promise.resolve()
  #appended = 0
  #dropped = 0
  #problem: string | undefined
  /** Known series with points of the future, and the time of the first detection. */
  #ahead: { keys: Set<string>; since: number } | undefined
  readonly #now: () => number
  #closed = false

  /** @param options.userAgent by which requests name the program */
  constructor(url: string, log: Log, options: { now?: () => number; userAgent?: string } = {}) {
    this.#now = options.now ?? (() => Date.now())
    this.#client = new Client(url, options.userAgent ?? 'Steading')
    this.#log = log
  }

  async append(samples: readonly Sample[]): Promise<void> {
    const mine = this.#turn.then(() => this.#append(samples))
    this.#turn = mine.catch(() => {})
    await mine
  }

  async #append(samples: readonly Sample[]): Promise<void> {
    if (this.#waiting.length + samples.length > MOST_WAITING) {
      throw new TimeSeriesUnavailable(this.#problem ?? 'VictoriaMetrics accepts samples too slowly')
    }
    // While it can be reached, appends are throttled to its pace.
    while (this.#waiting.length > AHEAD && this.#problem === undefined) await this.#sendNow()
    const keyed = samples.map((sample) => ({ sample, key: keyOf(sample) }))
    const limit = this.#now() + AHEAD_MS
    this.#forgetAhead(limit)
    await this.#learnLast(keyed, limit)
    for (const { sample, key } of keyed) {
      const { timestamp } = sample
      this.#appended++
      if (timestamp > limit || timestamp <= (this.#last.get(key) ?? -Infinity)) {
        this.#dropped++
        continue
      }
      this.#last.delete(key)
      this.#last.set(key, timestamp)
      this.#waiting.push(sample)
    }
    for (const key of this.#last.keys()) {
      if (this.#last.size <= MOST_KNOWN) break
      this.#last.delete(key)
    }
    this.#sendSoon(SEND_MS)
  }

  /**
   * Queries the stored points of series that are new here, if not older than their samples. There
   * are none, unless the clock was set back or another server collects the same metrics.
   * @param limit later points are points of the future, and do not count
   */
  async #learnLast(
    keyed: readonly { sample: Sample; key: string }[],
    limit: number,
  ): Promise<void> {
    const unknown = keyed.filter(({ key }) => !this.#last.has(key))
    if (unknown.length === 0 || this.#problem) return
    const oldest = new Map<string, number>()
    const keys = new Set<string>()
    for (const { sample, key } of unknown) {
      keys.add(key)
      const known = oldest.get(sample.name) ?? Infinity
      oldest.set(sample.name, Math.min(known, sample.timestamp))
    }
    try {
      for (const [name, from] of oldest) {
        const match = matchersOf({ name, where: [] })
        for await (const line of this.#client.export(match, from, END_OF_TIME)) {
          const key = `${nameOf(line)} ${fieldsTextOf(line)}`
          if (!keys.has(key)) continue
          if (line.timestamps.at(-1)! > limit) this.#noteAhead(key)
          const last = line.timestamps.findLast((at) => at <= limit)
          if (last !== undefined) this.#last.set(key, Math.max(last, this.#last.get(key) ?? last))
        }
      }
    } catch (error) {
      // The samples are queued until it can be reached, and are most likely new.
      this.#fail(error)
    }
  }

  /**
   * Forgets the last times of series that the clock cannot have reached yet. Points of the future
   * stay in VictoriaMetrics, since no part of a series can be removed: reads omit them until their
   * time has come.
   */
  #forgetAhead(limit: number): void {
    if (this.#ahead && this.#ahead.since < this.#now() - AHEAD_KEPT_MS) this.#ahead = undefined
    for (const [key, last] of this.#last) {
      if (last <= limit) continue
      this.#last.delete(key)
      this.#noteAhead(key)
    }
  }

  #noteAhead(key: string): void {
    if (!this.#ahead) {
      this.#ahead = { keys: new Set(), since: this.#now() }
      this.#log(aheadMessage(this.#ahead.since))
    }
    this.#ahead.keys.add(key)
  }

  async read(selection: Selection, maxPoints: number, signal?: AbortSignal): Promise<Series[]> {
    const { name, where, from = 0 } = selection
    const to = Math.min(selection.to ?? END_OF_TIME, this.#now() + AHEAD_MS)
    if (from >= to) return []
    const meets = meetsAll(where)
    const series = new Map<string, PointsBuilder | undefined>()
    let points = 0
    const builderOf = (text: string): PointsBuilder | undefined => {
      if (!series.has(text)) {
        const fields = JSON.parse(text) as Record<string, FieldValue>
        series.set(text, meets(fields) ? new PointsBuilder(fields) : undefined)
      }
      return series.get(text)
    }
    const counting = (builder: PointsBuilder, add: () => void) => {
      const before = builder.size
      add()
      points += builder.size - before
      if (points > maxPoints) throw new TooManyPoints()
    }
    this.#forgetVisible()
    for (const sample of [...this.#sent.flatMap(({ samples }) => samples), ...this.#waiting]) {
      if (sample.name !== name || sample.timestamp < from || sample.timestamp >= to) continue
      const builder = builderOf(fieldsText(sample.fields))
      if (builder) counting(builder, () => builder.addOwn(sample))
    }
    const match = matchersOf(selection)
    try {
      // Times are rounded in transit.
      for await (const line of this.#client.export(match, from - 1, to, signal)) {
        const builder = builderOf(fieldsTextOf(line))
        if (builder) counting(builder, () => builder.addLine(line, from, to))
      }
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof CallFailed) throw new TimeSeriesUnavailable(error.message)
      throw error
    }
    return [...series.values()]
      .filter((builder) => builder !== undefined && builder.size > 0)
      .map((builder) => builder!.build())
  }

  /** All servers use it concurrently. */
  isElsewhere = async (): Promise<boolean> => false

  async status(): Promise<TimeSeriesStatus> {
    return {
      series: this.#last.size,
      appended: this.#appended,
      dropped: this.#dropped,
      ...(this.#ahead && { ahead: { count: this.#ahead.keys.size, since: this.#ahead.since } }),
      ...(this.#problem !== undefined && { problem: this.#problem }),
    }
  }

  /** Sends queued samples, if possible. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#turn
    await this.#sending
    if (this.#waiting.length > 0) await this.#send().catch(() => {})
  }

  #sendSoon(delay: number): void {
    if (this.#closed || this.#sending) return
    this.#timer ??= setTimeout(() => void this.#sendNow(), delay).unref()
  }

  #sendNow(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#sending ??= this.#send()
      .then(
        () => this.#solved(),
        (error: unknown) => this.#fail(error),
      )
      .finally(() => {
        this.#sending = undefined
        if (this.#waiting.length > 0) this.#sendSoon(this.#problem ? RETRY_MS : SEND_MS)
      })
    return this.#sending
  }

  async #send(): Promise<void> {
    while (this.#waiting.length > 0) {
      const samples = this.#waiting.slice(0, SEND_SAMPLES)
      const limit = this.#now() + AHEAD_MS
      await this.#client.import(linesOf(samples.filter(({ timestamp }) => timestamp <= limit)))
      this.#waiting = this.#waiting.slice(samples.length)
      this.#sent.push({ at: performance.now(), samples })
      this.#forgetVisible()
    }
  }

  #forgetVisible(): void {
    const since = performance.now() - VISIBLE_MS
    this.#sent = this.#sent.filter(({ at }) => at > since).slice(-MOST_SENT)
  }

  #fail(error: unknown): void {
    const problem = errorMessage(error)
    if (problem === this.#problem) return
    this.#problem = problem
    this.#log(`time series cannot be stored: ${problem}`)
  }

  #solved(): void {
    if (this.#problem === undefined) return
    this.#problem = undefined
    this.#log('time series are stored again')
  }
}

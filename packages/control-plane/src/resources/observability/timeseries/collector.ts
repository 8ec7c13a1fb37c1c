import { collectionSeconds } from '@steading/api'
import { FLEET_ID } from '@steading/api/rules'
import type { Sample } from '@steading/oxql'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import type { OpenDatabase } from '../../../kernel/db/database.ts'
import { type Measurements, ROUND_MS } from '../../../kernel/ports/measurements.ts'
import { type TimeSeriesStore, TimeSeriesUnavailable } from '../../../kernel/ports/time-series.ts'
import type { Settings } from '../../../kernel/settings.ts'
import { createTask, type Task } from '../../../kernel/task.ts'
import { createTaskLease } from '../../../kernel/task-lease.ts'
import { createLoadMeter } from '../overview/load-meter.ts'
import { readLoads } from '../overview/load-history.ts'
import { KEPT_MS, lastLoad, minuteOf, recordLoads, STEP_MS } from '../overview/loads.ts'
import type { OwnMeter } from './own-meter.ts'
import { poolSamples } from './pools.ts'
import { provisionedSamples } from './provisioned.ts'

const roundsOf = (target: string): number => (1000 * collectionSeconds(target)!) / ROUND_MS

/** The server, the fleet and storage pools are measured once in so many rounds. */
const SERVER_EVERY = roundsOf('http_service')
const FLEET_EVERY = roundsOf('collection_target')
const POOLS_EVERY = roundsOf('zfs_pool')
/** Samples of the server stored at once. */
const AT_ONCE = 2_000

/** Producers of samples, in the collector's own metrics. */
const producers = {
  server: { base_route: '/server', producer_port: 0 },
  engine: { base_route: '/engine', producer_port: 0 },
} as const
type Producer = keyof typeof producers

export interface CollectorParts {
  database: OpenDatabase
  store: TimeSeriesStore
  /** Undefined for an engine that measures nothing. */
  measurements: Measurements | undefined
  own: OwnMeter
  serverId: string
  clock: () => Date
  log: Settings['log']
}

export interface Collector extends Task {
  /** Collects once, after the round that is running. */
  round: () => Promise<void>
}

interface Account {
  collections: number
  samples: number
  failures: number
  /** The error of the last failed one. */
  failure?: string
}

/**
 * Collects samples, round by round. Each server measures itself; one server at a time collects the samples of the shared parts.
 */
export function createCollector(parts: CollectorParts): Collector {
  const { database, store, measurements, own, serverId, clock, log } = parts
  const storesHere = async () => !(await store.isElsewhere())
  const lease = createTaskLease(database, 'collection', log, storesHere)
  const startTime = clock().getTime()
  const accounts: Record<Producer, Account> = {
    server: { collections: 0, samples: 0, failures: 0 },
    engine: { collections: 0, samples: 0, failures: 0 },
  }
  const loads = createLoadMeter()
  let dropped = 0
  let problem: string | undefined
  let round = 0

  /** Stores samples; while the store cannot take them, they are lost, which is logged once. */
  async function keep(samples: Sample[]): Promise<void> {
    try {
      await store.append(samples)
      if (problem !== undefined) log('samples are stored again')
      problem = undefined
    } catch (error) {
      dropped += samples.length
      if (!(error instanceof TimeSeriesUnavailable)) throw error
      if (problem !== error.message) log(`samples cannot be stored: ${error.message}`)
      problem = error.message
    }
  }

  /** @param may whether it is still up to this server to store the samples */
  async function take(
    producer: Producer,
    rounds: AsyncIterable<Sample[]>,
    may: () => boolean,
  ): Promise<void> {
    const account = accounts[producer]
    account.collections++
    try {
      for await (const samples of rounds) {
        if (!may()) return
        account.samples += samples.length
        if (producer === 'engine' && measurements) loads.note(samples)
        await keep(samples)
        await yieldToEventLoop()
      }
    } catch (error) {
      account.failures++
      const reason = error instanceof Error ? error.message : String(error)
      // An error that repeats in each round is logged once.
      if (account.failure !== reason) log(`collecting samples of the ${producer} failed`, error)
      account.failure = reason
    }
  }

  /** The collector's own metrics. */
  function accountSamples(timestamp: number): Sample[] {
    const collector = { collector_id: serverId, collector_ip: '::1', collector_port: 0 }
    const sample = (metric: string, fields: Sample['fields'], datum: number): Sample => ({
      name: `oximeter_collector:${metric}`,
      fields: { ...collector, ...fields },
      timestamp,
      startTime,
      datum,
    })
    return [
      ...(Object.keys(producers) as Producer[]).flatMap((producer) => {
        const { collections, samples, failures } = accounts[producer]
        const fields = { ...producers[producer], producer_id: serverId, producer_ip: '::1' }
        return [
          sample('collections', fields, collections),
          sample('samples_collected', fields, samples),
          sample('failed_collections', { ...fields, reason: 'error' }, failures),
        ]
      }),
      sample('database_samples_dropped', { collector_sink: 'time_series' }, dropped),
    ]
  }

  async function* ofServer(at: number): AsyncGenerator<Sample[]> {
    const samples = [...own.samples(at), ...accountSamples(at)]
    for (let begin = 0; begin < samples.length; begin += AT_ONCE) {
      yield samples.slice(begin, begin + AT_ONCE)
    }
  }
  async function* ofEngine(at: number, number: number): AsyncGenerator<Sample[]> {
    if (measurements) yield* measurements.measure(at, number)
    if (number % FLEET_EVERY === 0) yield provisionedSamples(database.db, at)
    if (number % POOLS_EVERY === 0) yield poolSamples(database.db, at)
  }

  /** The current minute, and the calls before it. */
  let minute: { begun: string; calls: number } | undefined

  /** Stores the load of a minute once it is over. The first one is not measured as a whole. */
  async function recordMinute(at: number): Promise<void> {
    const begun = minuteOf(at)
    if (begun === minute?.begun) return
    const before = minute
    minute = { begun, calls: own.calls() }
    if (before) loads.add(FLEET_ID, 'requests', minute.calls - before.calls)
    const taken = await loads.take(at)
    try {
      if (before) await recordLoads(database.db, before.begun, taken)
      if (!measurements && lease.held()) await recordUnmeasured(Date.parse(begun))
    } catch (error) {
      log('storing the load failed', error)
    }
  }

  /** Where nothing measures, the store has what it is asked for, also of earlier minutes. */
  async function recordUnmeasured(to: number): Promise<void> {
    const { db } = database
    const last = await lastLoad(db, to)
    const from = Math.max(last === undefined ? 0 : last + STEP_MS, to - KEPT_MS)
    for (const [time, load] of await readLoads(db, store, from, to)) {
      await recordLoads(db, time, load)
    }
  }

  async function collect(isActive: () => boolean): Promise<void> {
    const at = clock().getTime()
    const number = round++
    if (await lease.take()) {
      await take('engine', ofEngine(at, number), () => isActive() && lease.held())
    }
    if (number % SERVER_EVERY === 0) await take('server', ofServer(at), isActive)
    await recordMinute(at)
  }

  const task = createTask(parts, { name: 'collecting samples', every: ROUND_MS, lease }, collect)
  return { ...task, round: task.now }
}

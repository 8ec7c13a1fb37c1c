import type { Gauge as Value, Instrumentation } from '@steading/control-plane'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { DownloadOutcome } from './downloads.ts'

/** The text format of Prometheus. */
export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE

/** Seconds; calls take some milliseconds, and longer if they have to wait. */
const CALL_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Seconds; steps that wait for machines or receivers take up to half a minute. */
const STEP_BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30]
const LAG_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

const statusClasses = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const

/** Instrumentation of the host, in addition to the control plane's. */
export interface HostInstrumentation extends Instrumentation {
  downloaded: (outcome: DownloadOutcome) => void
}

/**
 * Prometheus metrics. Each server has its own registry. The overhead per call is about two
 * microseconds, because the series of an operation are looked up once.
 */
export function createInstrumentation(): HostInstrumentation {
  const registry = new Registry()
  const registers = [registry]

  const requests = new Counter({
    name: 'steading_requests_total',
    help: 'Answered calls by operation and status class; none: no such path or method',
    labelNames: ['operation', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'steading_request_duration_seconds',
    help: 'Time from a call to the start of its answer',
    labelNames: ['operation'],
    buckets: CALL_BUCKETS,
    registers,
  })
  const downloads = new Counter({
    name: 'steading_downloads_total',
    help: 'Downloads by outcome; cut: the client left, refused: access or the contents were removed meanwhile',
    labelNames: ['outcome'],
    registers,
  })
  const inFlight = new Gauge({
    name: 'steading_requests_in_flight',
    help: 'Calls in progress',
    registers,
  })
  const passes = new Counter({
    name: 'steading_reconciler_passes_total',
    help: 'Searches of the reconciler for due rows',
    registers,
  })
  const steps = new Histogram({
    name: 'steading_reconciler_step_duration_seconds',
    help: 'Steps of the reconciler by kind and outcome; lost: another server took over',
    labelNames: ['kind', 'outcome'],
    buckets: STEP_BUCKETS,
    registers,
  })
  const lateness = new Histogram({
    name: 'steading_reconciler_late_seconds',
    help: 'Time from a row being due to its claim',
    labelNames: ['kind'],
    buckets: LAG_BUCKETS,
    registers,
  })
  const conflicts = new Counter({
    name: 'steading_transaction_conflicts_total',
    help: 'Transaction conflicts, by whether the transaction was retried or given up',
    labelNames: ['outcome'],
    registers,
  })
  const read = new Counter({
    name: 'steading_outbox_events_total',
    help: 'Events read by this server for its followers',
    registers,
  })
  const readLate = new Histogram({
    name: 'steading_outbox_read_late_seconds',
    help: 'Age of the oldest event of each read of the outbox',
    buckets: LAG_BUCKETS,
    registers,
  })

  /** Operation → its series. */
  const known = new Map<string, ReturnType<typeof seriesOf>>()
  const seriesOf = (operation: string) => ({
    time: durations.labels(operation),
    statuses: statusClasses.map((status) => requests.labels(operation, status)),
  })
  const series = (operation: string) => {
    const found = known.get(operation) ?? seriesOf(operation)
    known.set(operation, found)
    return found
  }

  /** A separate registry, so that currently unknown values are omitted. */
  const atThisMoment = async (values: readonly Value[]): Promise<string> => {
    const moment = new Registry()
    const gauges = new Map<string, Gauge>()
    for (const { name, help, labels = {}, value } of values) {
      const gauge =
        gauges.get(name) ??
        new Gauge({ name, help, labelNames: Object.keys(labels), registers: [moment] })
      gauges.set(name, gauge)
      gauge.set(labels, value)
    }
    return moment.metrics()
  }

  let watchesProcess = false
  /** Watching the event loop wakes the process 100 times a second, so it begins when somebody asks. */
  const watchProcess = (): void => {
    if (!watchesProcess) collectDefaultMetrics({ register: registry })
    watchesProcess = true
  }

  return {
    called(operation) {
      const began = performance.now()
      inFlight.inc()
      return (status) => {
        inFlight.dec()
        const { time, statuses } = series(operation ?? 'none')
        time.observe((performance.now() - began) / 1000)
        statuses[Math.floor(status / 100) - 1]?.inc()
      }
    },
    downloaded: (outcome) => downloads.inc({ outcome }),
    stepped: (kind, outcome, seconds) => steps.observe({ kind, outcome }, seconds),
    found: (kind, seconds) => lateness.observe({ kind }, seconds),
    passed: () => passes.inc(),
    conflicted: ({ givenUp }) => conflicts.inc({ outcome: givenUp ? 'given_up' : 'tried_again' }),
    eventsRead(count, seconds) {
      read.inc(count)
      readLate.observe(seconds)
    },
    async text(values) {
      watchProcess()
      return (await registry.metrics()) + (await atThisMoment(values))
    },
  }
}

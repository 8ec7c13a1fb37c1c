/** Time series stores under test. */
import { aheadMessage, type TimeSeriesStore } from '@steading/control-plane/ports'
import { tryLock } from '../../../node/src/data-lock.ts'
import { EmbeddedTimeSeries, type EmbeddedOptions } from '../../src/embedded.ts'
import { memoryTimeSeries } from '../../src/memory.ts'
import { VictoriaMetricsTimeSeries } from '../../src/victoria-metrics/store.ts'
import { temporaryDirectory } from '../../../node/test/support/process.ts'
import type { TestVictoriaMetrics } from './victoria-metrics.ts'

export const DAY = 24 * 60 * 60_000

/** An embedded store in a directory, whose log is collected. */
export function embedded(
  directory: string,
  options: Partial<EmbeddedOptions> = {},
  messages: string[] = [],
): EmbeddedTimeSeries {
  return new EmbeddedTimeSeries({
    directory,
    lock: tryLock,
    keepFree: 0,
    retention: { rawMs: 10_000 * DAY, keepMs: 20_000 * DAY, intervalMs: 300_000 },
    log: (message) => void messages.push(message),
    ...options,
  })
}

/** A store under test, with a function to restart it; undefined if it is not persistent. */
export interface StoreUnderTest {
  store: TimeSeriesStore
  restart?: () => Promise<TimeSeriesStore>
  close: () => Promise<void>
}

export type MakeStore = () => Promise<StoreUnderTest>

async function embeddedStore(headWeight?: number): Promise<StoreUnderTest> {
  const directory = temporaryDirectory()
  const make = () => embedded(directory, headWeight ? { headWeight } : {})
  let store = make()
  return {
    store,
    async restart() {
      await store.close()
      return (store = make())
    },
    close: () => store.close(),
  }
}

let installations = 0

/** A store with a prefix for its names, so that tests can share a server. */
const named = (prefix: string, store: TimeSeriesStore): TimeSeriesStore => ({
  append: (samples) =>
    store.append(samples.map((sample) => ({ ...sample, name: prefix + sample.name }))),
  read: (selection, maxPoints, signal) =>
    store.read({ ...selection, name: prefix + selection.name }, maxPoints, signal),
  isElsewhere: () => store.isElsewhere(),
  status: () => store.status(),
})

/** A store in a shared VictoriaMetrics. */
export async function victoriaMetricsStore(server: TestVictoriaMetrics): Promise<StoreUnderTest> {
  const prefix = `test${++installations}_`
  let messages: string[] = []
  const make = () =>
    new VictoriaMetricsTimeSeries(server.url, (message) => void messages.push(message))
  let store = make()
  return {
    store: named(prefix, store),
    async restart() {
      const { ahead } = await store.status()
      await store.close()
      // Points of the future are not a problem of the store.
      const said = ahead && aheadMessage(ahead.since)
      const troubles = messages.filter((message) => message !== said)
      if (troubles.length > 0) throw new Error(troubles.join('; '))
      messages = []
      await server.flush()
      return named(prefix, (store = make()))
    },
    close: () => store.close(),
  }
}

export const stores: Record<string, MakeStore> = {
  embedded: () => embeddedStore(),
  // Everything soon reaches segments, which are merged.
  'embedded with small heads': () => embeddedStore(300),
  'in memory': async () => ({ store: memoryTimeSeries({ points: 10_000 }), close: async () => {} }),
}

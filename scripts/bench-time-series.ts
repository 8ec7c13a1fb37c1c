/**
 * `npm run bench:time-series`: benchmarks of the embedded time series store, and of VictoriaMetrics
 * with the same samples if it is installed. Only measures; compare ratios, or two runs on one
 * machine.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { timeseriesByName } from '@steading/api'
import type { TimeSeriesStore } from '@steading/control-plane/ports'
import { evaluate, parse, type Sample } from '@steading/oxql'
import { EmbeddedTimeSeries, VictoriaMetricsTimeSeries } from '@steading/time-series'
import { tryLock } from '../packages/node/src/data-lock.ts'
import {
  startVictoriaMetrics,
  victoriaMetricsMissing,
} from '../packages/time-series/test/support/victoria-metrics.ts'
import { sized } from './bench/smoke.ts'
import { TICK_MS, tickOf, world } from './bench/time-series-world.ts'

const TICKS = sized(1_000, 20)
/** The VictoriaMetrics store gets fewer: each sample is several there. */
const FEW_TICKS = sized(200, 5)
const RUNS = sized(200, 3)
/** The newest sample is current, so that none is too old or in the future. */
const BEGIN = Math.floor(Date.now() / 60_000) * 60_000 - TICKS * TICK_MS
const END = BEGIN + TICKS * TICK_MS

const home = mkdtempSync(join(tmpdir(), 'steading-bench-'))
const sizeOf = (path: string): number =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)

const count = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 0 })
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
const at = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!

/** Appends all samples. The time for generating them does not count. */
async function fill(append: (samples: Sample[]) => Promise<void>, ticks = TICKS): Promise<number> {
  let ms = 0
  for (let tick = 0; tick < ticks; tick++) {
    const samples = tickOf(tick, BEGIN)
    const began = performance.now()
    await append(samples)
    ms += performance.now() - began
  }
  return ms
}

function embedded(directory: string): EmbeddedTimeSeries {
  return new EmbeddedTimeSeries({
    directory,
    lock: tryLock,
    keepFree: 0,
    retention: { rawMs: 1e12, keepMs: 1e12, intervalMs: 300_000 },
    log: console.error,
  })
}

/** Typical queries of the console for a random instance, disk or interface. */
const instant = (ms: number): string => new Date(ms).toISOString().replace('Z', '')
const between = `timestamp >= @${instant(END - 3_600_000)} && timestamp < @${instant(END)}`
const queries: Record<string, (pick: number) => { oxql: string; native: string }> = {
  'CPU of an instance': (pick) => {
    const id = world.instances[pick % world.instances.length]!
    return {
      oxql: `get virtual_machine:vcpu_usage | filter ${between} && instance_id == "${id}" | align mean_within(60s) | group_by [instance_id], sum`,
      native: `sum by (instance_id) (rate({__name__="virtual_machine:vcpu_usage",instance_id="${id}"}[60s]))`,
    }
  },
  'CPU of an instance, running': (pick) => {
    const id = world.instances[pick % world.instances.length]!
    return {
      oxql: `get virtual_machine:vcpu_usage | filter ${between} && instance_id == "${id}" && state == "run" | align mean_within(60s) | group_by [instance_id], sum`,
      native: `sum by (instance_id) (rate({__name__="virtual_machine:vcpu_usage",instance_id="${id}",state="run"}[60s]))`,
    }
  },
  'bytes read from a disk': (pick) => {
    const id = world.disks[pick % world.disks.length]!
    return {
      oxql: `get virtual_disk:bytes_read | filter ${between} && disk_id == "${id}" | align mean_within(60s) | group_by [disk_id], sum`,
      native: `sum by (disk_id) (rate({__name__="virtual_disk:bytes_read",disk_id="${id}"}[60s]))`,
    }
  },
  'bytes an interface received': (pick) => {
    const id = world.interfaces[pick % world.interfaces.length]!
    return {
      oxql: `get instance_network_interface:bytes_received | filter ${between} && interface_id == "${id}" | align mean_within(60s) | group_by [interface_id], sum`,
      native: `sum by (interface_id) (rate({__name__="instance_network_interface:bytes_received",interface_id="${id}"}[60s]))`,
    }
  },
}

async function ask(store: TimeSeriesStore, oxql: string): Promise<void> {
  const source = {
    schema: (name: string) => timeseriesByName.get(name),
    read: store.read.bind(store),
  }
  const [table] = await evaluate(parse(oxql), { source, now: END })
  if (table?.timeseries.length !== 1) throw new Error(`nothing was found for ${oxql}`)
}

async function timesOf(run: (pick: number) => Promise<void>): Promise<number[]> {
  const times: number[] = []
  for (let pick = 0; pick < RUNS; pick++) {
    const began = performance.now()
    await run(pick * 7)
    times.push(performance.now() - began)
  }
  return times.sort((a, b) => a - b)
}

/** VictoriaMetrics alone, with series in its own format. */
function nativeLines(samples: readonly Sample[]): string {
  return samples
    .map(({ name, fields, timestamp, datum }) => {
      const labels = Object.entries(fields).map(([field, value]) => [field, String(value)])
      const metric = { __name__: name, ...Object.fromEntries(labels) }
      return JSON.stringify({ metric, timestamps: [timestamp], values: [datum] })
    })
    .join('\n')
}

try {
  const total = world.series * TICKS
  const few = world.series * FEW_TICKS
  console.log(`${count(total)} samples of ${count(world.series)} series\n`)

  const directory = join(home, 'embedded')
  let store = embedded(directory)
  const ingest = await fill((samples) => store.append(samples))
  const settled = performance.now()
  await store.settle()
  const rest = performance.now() - settled
  const bytes = (await store.status()).bytes!
  const rate = total / (ingest / 1000)
  console.log(
    `data directory: ${count(rate)} samples per second (${seconds(ingest)}, and ${seconds(rest)} until all was merged), ${(bytes / total).toFixed(2)} bytes per sample, ${count(process.memoryUsage().rss / 1e6)} MB resident`,
  )
  await store.close()
  const opened = performance.now()
  store = embedded(directory)
  await store.read({ name: 'none:none', where: [] }, 0)
  console.log(`opened in ${(performance.now() - opened).toFixed(0)} ms`)

  const missing = victoriaMetricsMissing()
  if (missing) console.log(`VictoriaMetrics is left out: ${missing}.`)
  const native = missing ? undefined : join(home, 'native')
  const ours = missing ? undefined : join(home, 'ours')
  if (native && ours) {
    mkdirSync(native)
    mkdirSync(ours)
  }
  const plain = native ? await startVictoriaMetrics(native) : undefined
  const mapped = ours ? await startVictoriaMetrics(ours) : undefined
  const adapter = mapped ? new VictoriaMetricsTimeSeries(mapped.url, console.error) : undefined
  try {
    if (plain && native && mapped && ours && adapter) {
      const importing = await fill(async (samples) => {
        const response = await fetch(`${plain.url}/api/v1/import`, {
          method: 'POST',
          body: nativeLines(samples),
        })
        await response.text()
      })
      const nativeRate = total / (importing / 1000)
      console.log(
        `VictoriaMetrics by itself: ${count(nativeRate)} samples per second; the data directory takes in ${(rate / nativeRate).toFixed(2)} times as many`,
      )
      const adapting = await fill((samples) => adapter.append(samples), FEW_TICKS)
      const closing = performance.now()
      await adapter.close()
      const adapted = adapting + performance.now() - closing
      for (const server of [plain, mapped]) {
        // It flushes everything to its files when it stops.
        await server.stop()
        await server.start()
      }
      console.log(
        `VictoriaMetrics as a store: ${count(few / (adapted / 1000))} samples per second, ${(sizeOf(ours) / few).toFixed(2)} bytes per sample, with start times; by itself ${(sizeOf(native) / total).toFixed(2)} without them`,
      )
    }
    console.log(
      `\nqueries of an hour                 p50      p99${plain ? '   VictoriaMetrics by itself   ratio' : ''}`,
    )
    const ms = (value: number) => `${value.toFixed(1)} ms`.padStart(8)
    for (const [name, make] of Object.entries(queries)) {
      const own = await timesOf((pick) => ask(store, make(pick).oxql))
      let line = `${name.padEnd(30)}${ms(at(own, 0.5))} ${ms(at(own, 0.99))}`
      if (plain) {
        const its = await timesOf(async (pick) => {
          const parameters = new URLSearchParams({
            query: make(pick).native,
            start: String((END - 3_600_000) / 1000),
            end: String(END / 1000),
            step: '60s',
            nocache: '1',
          })
          const response = await fetch(`${plain.url}/api/v1/query_range?${parameters}`)
          const { data } = (await response.json()) as { data: { result: unknown[] } }
          if (data.result.length !== 1) throw new Error(`nothing was found for ${parameters}`)
        })
        line += `         ${ms(at(its, 0.5))} ${ms(at(its, 0.99))}    ${(at(own, 0.5) / at(its, 0.5)).toFixed(2)}`
      }
      console.log(line)
    }
    for (const kind of ['regular', 'noisy'] as const) {
      const path = join(home, kind)
      const some = embedded(path)
      const names = world.names[kind]
      let appended = 0
      for (let tick = 0; tick < TICKS; tick++) {
        const samples = tickOf(tick, BEGIN).filter(({ name }) => names.includes(name))
        appended += samples.length
        await some.append(samples)
      }
      await some.settle()
      const size = (await some.status()).bytes!
      console.log(`${kind} counters: ${(size / appended).toFixed(2)} bytes per sample`)
      await some.close()
    }
  } finally {
    await plain?.stop()
    await mapped?.stop()
    await store.close()
  }
} finally {
  rmSync(home, { recursive: true, force: true })
}

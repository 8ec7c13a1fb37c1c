/**
 * `npm run bench [-- server|browser] [--against <directory>]`: benchmarks of this build on this
 * machine, and their ratios to each other. Only measures; compare two runs on one machine. `server`
 * or `browser` selects one part. `--against` is the directory of another version with a built
 * console: its list is opened in turn with ours.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { browserFigures } from './bench/browser.ts'
import { type BenchHost, startHost, signIn } from './bench/host.ts'
import { jobFigures, seedJobs } from './bench/jobs.ts'
import { printLists } from './bench/lists.ts'
import { type MemoryFigures, memoryFigures } from './bench/memory.ts'
import type { PageLoads } from './bench/page-loads.ts'
import { createDeletePairs, type Load, medianLoad } from './bench/requests.ts'
import { seedDisks, seedInstances, seedTags } from './bench/seed.ts'
import { sized } from './bench/smoke.ts'
import { uploadFigures } from './bench/upload.ts'
import { consoleSite, refresh } from './sites.ts'

const SMALL = 50
const LARGE = sized(20_000, 200)
const HUGE = sized(1_000_000, 400)
/** In the middle of the large list. */
const IN_THE_MIDDLE = `instance-${String(LARGE / 2).padStart(6, '0')}`

const { values: options, positionals } = parseArgs({
  options: { against: { type: 'string' } },
  allowPositionals: true,
})
const [part] = positionals
if (positionals.length > 1 || (part && part !== 'server' && part !== 'browser')) {
  console.error('Usage: npm run bench [-- server|browser] [--against <directory>]')
  process.exit(2)
}
const [withServer, withBrowser] = [part !== 'browser', part !== 'server']

const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`
const mB = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`
const kB = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`

const directories: string[] = []
/** A new data directory; all are removed at the end. */
function newData(): string {
  const data = mkdtempSync(join(tmpdir(), 'steading-bench-'))
  directories.push(data)
  return data
}

/**
 * Creates projects with instances.
 * @returns milliseconds of the first start
 */
async function fill(data: string, projects: string[], seed: () => void, version?: string) {
  const host = await startHost(data, { version })
  const cookie = await signIn(host.url)
  for (const name of projects) {
    await fetch(`${host.url}/v1/projects`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ name, description: '' }),
    })
  }
  await host.stop()
  seed()
  return host.startMs
}

async function measureServer(host: BenchHost): Promise<void> {
  const { url } = host
  const cookie = await signIn(url)
  const idle = host.memory()
  const figures: Record<string, Load> = {
    ping: await medianLoad(`${url}/v1/ping`, cookie),
    [`list of 50 among ${SMALL}`]: await medianLoad(
      `${url}/v1/instances?limit=50&project=small`,
      cookie,
    ),
    [`list of 50 among ${LARGE}`]: await medianLoad(
      `${url}/v1/instances?limit=50&project=large`,
      cookie,
    ),
    'view by name': await medianLoad(`${url}/v1/instances/${IN_THE_MIDDLE}?project=large`, cookie),
    'create and delete': await createDeletePairs(url, cookie, 'small'),
  }
  const ping = figures.ping!.perSecond
  console.log('\nrequests          per second      p50      p99   of ping')
  for (const [name, { perSecond, p50, p99 }] of Object.entries(figures)) {
    console.log(
      `${name.padEnd(23)}${perSecond.toFixed(0).padStart(5)} ${ms(p50).padStart(8)} ${ms(p99).padStart(8)}  1/${(ping / perSecond).toFixed(1)}`,
    )
  }
  const small = figures[`list of 50 among ${SMALL}`]!.perSecond
  const large = figures[`list of 50 among ${LARGE}`]!.perSecond
  console.log(
    `list of 50: ${(small / large).toFixed(2)} times slower among ${LARGE} than among ${SMALL}`,
  )
  await printLists(url, cookie, { large: LARGE, huge: HUGE })
  console.log(`\nresident memory: ${idle} MiB idle, ${host.memory()} MiB after the run`)

  const { count, callers, job, single } = await jobFigures(url, cookie)
  const rate = (milliseconds: number) => `${((count / milliseconds) * 1000).toFixed(0)} per second`
  console.log(
    `\nbulk stop of ${count} instances: accepted at ${rate(job.accepted)}, all stopped after ${ms(job.ended)}`,
  )
  console.log(
    `${(single.accepted / job.accepted).toFixed(2)} times as fast as ${count} calls, ${callers} at a time (${rate(single.accepted)}, all stopped after ${ms(single.ended)})`,
  )

  const upload = await uploadFigures(url, cookie, 'small')
  console.log(
    `\nupload of ${upload.size.toFixed(0)} MB: ${upload.ours.toFixed(0)} MB/s, ${upload.ratio.toFixed(2)} of the ${upload.curl.toFixed(0)} MB/s of curl; download ${upload.download.toFixed(0)} MB/s`,
  )
}

function printLoads(loads: PageLoads, others?: PageLoads): void {
  /** A figure, and its ratio to the other version. */
  const against = (
    figure: (loads: PageLoads) => number,
    unit: (value: number) => string = (value) => String(value),
  ) => {
    const value = figure(loads)
    const other = others && figure(others)
    if (other === undefined) return unit(value)
    return `${unit(value)} (${(value / other).toFixed(2)} of ${unit(other)})`
  }
  console.log(`\nlist of instances in the browser: ${against(({ requests }) => requests)} requests`)
  for (const [name, of] of [
    ['JavaScript', 'script'],
    ['CSS', 'style'],
  ] as const) {
    const { files, bytes, gzip } = loads[of]
    console.log(
      `${name}: ${files} files, ${kB(bytes)}, ${kB(gzip)} gzip, ${against((each) => each[of].brotli, kB)} brotli`,
    )
  }
  console.log(
    `rows in view after ${against(({ tableMs }) => tableMs, ms)}, all rows after ${against(({ allRowsMs }) => allRowsMs, ms)}; in view ${against(({ paintMs }) => paintMs, ms)} after their answer; ${(loads.tableMs / loads.signInMs).toFixed(2)} times the page to sign in, which takes ${against(({ signInMs }) => signInMs, ms)}`,
  )
  console.log(
    `rows at a second visit after ${against(({ warmMs }) => warmMs, ms)}; at a first one over a line of 150 ms and 10 Mbit/s after ${against(({ distantMs }) => distantMs, ms)}`,
  )
}

function printMemory(where: string, memory: MemoryFigures): void {
  const { before, after, nodesBefore, nodesAfter, listenersBefore, listenersAfter } = memory
  console.log(
    `objects of the page ${where}: ${mB(before)} after ${memory.few} navigations, ${mB(after)} after ${memory.many} (${(after / before).toFixed(3)} times); ${nodesBefore} nodes, then ${nodesAfter}; ${listenersBefore} listeners, then ${listenersAfter}`,
  )
}

async function measureBrowser(host: BenchHost, other?: BenchHost): Promise<void> {
  const { loads, others, ...used } = await browserFigures(host.url, 'large', other?.url)
  printLoads(loads, others)
  const { searchMs, sortMs, longestMs, nextMs, scrollMs, longestScrollMs } = used.interactions
  console.log(
    `navigation in ${ms(used.navigationMs)}; among ${LARGE}: key to rows ${ms(searchMs)}, click on a header to rows ${ms(sortMs)}, longest ${ms(longestMs)}; next page with its addresses ${ms(nextMs)}; wheel to frame ${ms(scrollMs)}, longest ${ms(longestScrollMs)}`,
  )
  printMemory('with extensions', await memoryFigures(host.url, 'large'))
}

if (withBrowser && !(await refresh(consoleSite))) process.exit(1)
const hosts: BenchHost[] = []
try {
  const data = newData()
  const projects = withServer ? ['small', 'large', 'huge', 'bulk'] : ['large']
  const cold = await fill(data, projects, () => {
    seedInstances(data, 'large', LARGE)
    seedDisks(data, 'large')
    if (!withServer) return
    seedTags(data, 'large')
    seedInstances(data, 'small', SMALL)
    seedInstances(data, 'huge', HUGE)
    seedDisks(data, 'huge')
    seedTags(data, 'huge')
    seedJobs(data)
  })
  const host = await startHost(data)
  hosts.push(host)
  console.log(`start to first answer: ${ms(cold)} on an empty directory, ${ms(host.startMs)} after`)
  if (withServer) await measureServer(host)
  if (withBrowser) {
    const version = options.against && resolve(options.against)
    if (version) {
      const its = newData()
      // Its database may have other columns.
      const { seedInstances: seed } = await import(join(version, 'scripts/bench/seed.ts'))
      await fill(its, ['large'], () => seed(its, 'large', LARGE), version)
      hosts.push(await startHost(its, { version }))
    }
    await measureBrowser(host, hosts[1])
    await host.stop()
    hosts[0] = await startHost(data, { plain: true })
    printMemory('without extensions', await memoryFigures(hosts[0].url, 'large'))
  }
} finally {
  await Promise.all(hosts.map((host) => host.stop()))
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
}

/**
 * `npm run bench [-- server]`: figures of this build on this machine, and their ratios to each other. Nothing
 * here passes or fails; compare two runs on one machine. With `server` the browser is left out.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { browserFigures } from './bench/browser.ts'
import { startHost, signIn } from './bench/host.ts'
import { jobFigures, seedJobs } from './bench/jobs.ts'
import { printLists } from './bench/lists.ts'
import { createDeletePairs, type Load, medianLoad } from './bench/requests.ts'
import { seedDisks, seedInstances } from './bench/seed.ts'
import { uploadFigures } from './bench/upload.ts'
import { consoleSite, refresh } from './sites.ts'

const SMALL = 50
const LARGE = 20_000
const HUGE = 1_000_000

const withBrowser = process.argv[2] !== 'server'
if (withBrowser && !(await refresh(consoleSite))) process.exit(1)
const data = mkdtempSync(join(tmpdir(), 'steading-bench-'))
const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`
const mB = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`
const kB = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`

try {
  let host = await startHost(data)
  const cold = host.startMs
  const cookie = await signIn(host.url)
  for (const name of ['small', 'large', 'huge', 'bulk']) {
    await fetch(`${host.url}/v1/projects`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ name, description: '' }),
    })
  }
  await host.stop()
  seedInstances(data, 'small', SMALL)
  seedInstances(data, 'large', LARGE)
  seedInstances(data, 'huge', HUGE)
  for (const project of ['large', 'huge']) seedDisks(data, project)
  seedJobs(data)

  host = await startHost(data)
  console.log(`start to first answer: ${ms(cold)} on an empty directory, ${ms(host.startMs)} after`)
  const idle = host.memory()

  const figures: Record<string, Load> = {
    ping: await medianLoad(`${host.url}/v1/ping`, cookie),
    [`list of 50 among ${SMALL}`]: await medianLoad(
      `${host.url}/v1/instances?limit=50&project=small`,
      cookie,
    ),
    [`list of 50 among ${LARGE}`]: await medianLoad(
      `${host.url}/v1/instances?limit=50&project=large`,
      cookie,
    ),
    'view by name': await medianLoad(
      `${host.url}/v1/instances/instance-010000?project=large`,
      cookie,
    ),
    'create and delete': await createDeletePairs(host.url, cookie, 'small'),
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
  await printLists(host.url, cookie, { large: LARGE, huge: HUGE })
  console.log(`\nresident memory: ${idle} MiB idle, ${host.memory()} MiB after the run`)

  const { count, callers, job, single } = await jobFigures(host.url, cookie)
  const rate = (milliseconds: number) => `${((count / milliseconds) * 1000).toFixed(0)} per second`
  console.log(
    `\nbulk stop of ${count} instances: accepted at ${rate(job.accepted)}, all stopped after ${ms(job.ended)}`,
  )
  console.log(
    `${(single.accepted / job.accepted).toFixed(2)} times as fast as ${count} calls, ${callers} at a time (${rate(single.accepted)}, all stopped after ${ms(single.ended)})`,
  )

  const upload = await uploadFigures(host.url, cookie, 'small')
  console.log(
    `\nupload of ${upload.size.toFixed(0)} MB: ${upload.ours.toFixed(0)} MB/s, ${upload.ratio.toFixed(2)} of the ${upload.curl.toFixed(0)} MB/s of curl; download ${upload.download.toFixed(0)} MB/s`,
  )

  if (withBrowser) {
    const seen = await browserFigures(host.url, 'large')
    const { script, style, requests, tableMs, navigationMs, interactions, memory } = seen
    console.log(`\nlist of instances in the browser: ${requests} requests`)
    for (const [name, { files, bytes, gzip, brotli }] of Object.entries({
      JavaScript: script,
      CSS: style,
    })) {
      console.log(`${name}: ${files} files, ${kB(bytes)}, ${kB(gzip)} gzip, ${kB(brotli)} brotli`)
    }
    console.log(`table visible after ${ms(tableMs)}, navigation in ${ms(navigationMs)}`)
    const { searchMs, sortMs, longestMs, nextMs, scrollMs, longestScrollMs } = interactions
    console.log(
      `among ${LARGE}: key to rows ${ms(searchMs)}, click on a header to rows ${ms(sortMs)}, longest ${ms(longestMs)}; next page with its addresses ${ms(nextMs)}; wheel to frame ${ms(scrollMs)}, longest ${ms(longestScrollMs)}`,
    )
    const { before, after, nodesBefore, nodesAfter, navigations } = memory
    console.log(
      `memory of the page: ${mB(before)}, after ${navigations} navigations ${mB(after)} (${(after / before).toFixed(2)} times); ${nodesBefore} nodes, then ${nodesAfter}`,
    )
  }
  await host.stop()
} finally {
  rmSync(data, { recursive: true, force: true })
}

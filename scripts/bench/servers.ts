/**
 * The same load through one address, on one server and on two. No answer may be wrong, and the
 * figures of both come from the same run, in turn.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../../packages/control-plane/test/support/postgres.ts'
import { type Balancer, startBalancer } from '../../packages/node/test/support/balancer.ts'
import { type LoadResult, mixedLoad } from '../../packages/node/test/support/mixed-load.ts'
import { type BenchHost, signIn, startHost } from './host.ts'
import { median } from './median.ts'

const CLIENTS = 10
const FOLLOWERS = 20
const WARM_UP_MS = 2_000
const MEASURED_MS = 5_000
const ROUNDS = 5

export async function serverFigures(): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'steading-servers-'))
  // Separate, because it belongs to the user that PostgreSQL runs as.
  const postgresHome = await mkdtemp(join(tmpdir(), 'steading-servers-postgres-'))
  const postgres = await startPostgres(postgresHome, { durable: true })
  const hosts: BenchHost[] = []
  const balancers: Balancer[] = []
  try {
    for (let count = 0; count < 2; count++)
      hosts.push(await startHost(home, { databaseUrl: postgres.url }))
    const [first, second] = hosts.map(({ url }) => url) as [string, string]
    const lines: { name: string; url: string; cookie: string; results: LoadResult[] }[] = []
    for (const [name, targets] of [
      ['one server', [first]],
      ['two servers', [first, second]],
    ] as const) {
      const balancer = await startBalancer(targets)
      balancers.push(balancer)
      lines.push({ name, url: balancer.url, cookie: await signIn(balancer.url), results: [] })
    }
    const run = ({ url, cookie }: (typeof lines)[number], milliseconds: number) =>
      mixedLoad({ url, cookie, clients: CLIENTS, followers: FOLLOWERS, milliseconds })
    for (const line of lines) await run(line, WARM_UP_MS)
    for (let round = 0; round < ROUNDS; round++) {
      for (const line of lines) line.results.push(await run(line, MEASURED_MS))
    }
    console.log(
      `a mixed load through one address: ${CLIENTS} clients that write and read, ${FOLLOWERS} followers of events, a serial console`,
    )
    const of = (results: LoadResult[], key: 'perSecond' | 'p50' | 'p99' | 'lines') =>
      median(results.map((result) => result[key]))
    for (const { name, results } of lines) {
      const ratio = of(results, 'perSecond') / of(lines[0]!.results, 'perSecond')
      const wrong = results.flatMap((result) => result.wrong)
      console.log(
        `${name.padEnd(12)} ${of(results, 'perSecond').toFixed(0).padStart(5)} calls/s, ${ratio.toFixed(2)} times; p50 ${of(results, 'p50').toFixed(0)} ms, p99 ${of(results, 'p99').toFixed(0)} ms; ${(of(results, 'lines') / (MEASURED_MS / 1000)).toFixed(1)} lines/s on the console; ${wrong.length} wrong answers`,
      )
      for (const what of wrong.slice(0, 5)) console.log(`  ${what}`)
    }
  } finally {
    await Promise.all(balancers.map((balancer) => balancer.close()))
    await Promise.all(hosts.map((host) => host.stop()))
    await postgres.stop()
    for (const path of [home, postgresHome]) await rm(path, { recursive: true, force: true })
  }
}

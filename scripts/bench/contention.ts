/**
 * Many clients that create and delete disks in one project, on both databases: all update the same
 * quota. Ratios are within one run, because the machine may be busy otherwise.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../../packages/control-plane/test/support/postgres.ts'
import { GiB } from '../../packages/api/src/rules.ts'
import { type Distance, putAway } from './distance.ts'
import { type BenchHost, familyCpu, signIn, startHost } from './host.ts'
import { median } from './median.ts'

const PROJECT = 'contended'
const WARM_UP_MS = 1_500
const MEASURED_MS = 2_000
const ROUNDS = 5

/** Simulated latency of a remote PostgreSQL in milliseconds. */
const AWAY_MS = 1

interface Client {
  host: BenchHost
  url: string
  cookie: string
}

interface Pairs {
  perSecond: number
  /** Milliseconds of processor time per pair, of the servers and of PostgreSQL. */
  serverCpu: number
  databaseCpu: number
  /** Milliseconds of a create or delete. */
  p50: number
  p99: number
  /** Unsuccessful answers by status. */
  refused: Record<number, number>
}

/** Milliseconds of processor time used by the database; 0 for the embedded one. */
type DatabaseCpu = () => Promise<number>

/** Every client creates and deletes a disk in a loop for a few seconds. */
async function diskPairs(
  clients: Client[],
  milliseconds: number,
  databaseCpu: DatabaseCpu,
): Promise<Pairs> {
  const hosts = [...new Set(clients.map(({ host }) => host))]
  const cpu = async (): Promise<[number, number]> => [
    hosts.reduce((sum, host) => sum + host.cpu(), 0),
    await databaseCpu(),
  ]
  const [serverBefore, databaseBefore] = await cpu()
  const times: number[] = []
  const refused: Record<number, number> = {}
  let pairs = 0
  const began = performance.now()
  const goesOn = () => performance.now() - began < milliseconds
  const call = async (client: Client, method: string, path: string, body?: object) => {
    const at = performance.now()
    const response = await fetch(client.url + path, {
      method,
      headers: { cookie: client.cookie, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    })
    await response.arrayBuffer()
    times.push(performance.now() - at)
    if (!response.ok) refused[response.status] = (refused[response.status] ?? 0) + 1
    return response.ok
  }
  const work = async (client: Client, index: number) => {
    for (let pair = 0; goesOn(); pair++) {
      const name = `disk-${index}-${pair}-${Math.floor(began)}`
      const disk_source = { type: 'blank', block_size: 512 }
      const disk_backend = { type: 'distributed', disk_source }
      const body = { name, description: '', size: GiB, disk_backend }
      if (!(await call(client, 'POST', `/v1/disks?project=${PROJECT}`, body))) continue
      // A refused delete is retried, as a user would.
      while (!(await call(client, 'DELETE', `/v1/disks/${name}?project=${PROJECT}`)) && goesOn());
      pairs++
    }
  }
  await Promise.all(clients.map(work))
  const seconds = (performance.now() - began) / 1000
  const [serverAfter, databaseAfter] = await cpu()
  const sorted = times.toSorted((a, b) => a - b)
  return {
    perSecond: pairs / seconds,
    serverCpu: (serverAfter - serverBefore) / pairs,
    databaseCpu: (databaseAfter - databaseBefore) / pairs,
    p50: sorted[sorted.length >> 1]!,
    p99: sorted[Math.floor(sorted.length * 0.99)]!,
    refused,
  }
}

const share = (hosts: Client[], count: number): Client[] =>
  Array.from({ length: count }, (_, index) => hosts[index % hosts.length]!)

/** A number of clients, and the servers that they use. */
interface Line {
  name: string
  hosts: Client[]
  clients: number
}

/** Measures all lines in turn, several times, and prints medians relative to the first. */
async function print(lines: Line[], databaseCpu: DatabaseCpu = async () => 0): Promise<void> {
  for (const { hosts } of lines) await diskPairs(share(hosts, 4), WARM_UP_MS, databaseCpu)
  const measured: Pairs[][] = lines.map(() => [])
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, { hosts, clients }] of lines.entries()) {
      measured[index]!.push(await diskPairs(share(hosts, clients), MEASURED_MS, databaseCpu))
    }
  }
  const perSecond = measured.map((rounds) => median(rounds.map((pairs) => pairs.perSecond)))
  for (const [index, { name, clients }] of lines.entries()) {
    const rounds = measured[index]!
    const ms = (of: 'p50' | 'p99') => `${median(rounds.map((pairs) => pairs[of])).toFixed(0)} ms`
    const refused: Record<string, number> = {}
    for (const [status, times] of rounds.flatMap((pairs) => Object.entries(pairs.refused))) {
      refused[status] = (refused[status] ?? 0) + times
    }
    const cpu = (of: 'serverCpu' | 'databaseCpu') =>
      median(rounds.map((pairs) => pairs[of])).toFixed(1)
    const used = `${cpu('serverCpu')} + ${cpu('databaseCpu')} ms`
    const answers = Object.entries(refused).map(([status, times]) => `${times} × ${status}`)
    const ratio = (perSecond[index]! / perSecond[0]!).toFixed(1)
    console.log(
      `${name.padEnd(24)}${String(clients).padStart(3)} clients ${perSecond[index]!.toFixed(0).padStart(5)} pairs/s, ${ratio} times; processor ${used} a pair; p50 ${ms('p50')}, p99 ${ms('p99')}; ${answers.join(', ') || 'none refused'}`,
    )
  }
}

/** The administrator of a host, with the clients' common project. */
async function client(host: BenchHost): Promise<Client> {
  const cookie = await signIn(host.url)
  await fetch(`${host.url}/v1/projects`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ name: PROJECT, description: '' }),
  })
  return { host, url: host.url, cookie }
}

export async function contentionFigures(): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'steading-contention-'))
  const running: BenchHost[] = []
  const start = async (data: string, url?: string) => {
    const host = await startHost(join(home, data), { databaseUrl: url })
    running.push(host)
    return client(host)
  }
  // Separate, because it belongs to the user that PostgreSQL runs as.
  const postgresHome = await mkdtemp(join(tmpdir(), 'steading-contention-postgres-'))
  const postgres = await startPostgres(postgresHome, { durable: true })
  let distance: Distance | undefined
  try {
    console.log('disks created and deleted, by many clients at once')
    const embedded = [await start('sqlite')]
    const lines = (name: string, hosts: Client[], counts: number[]): Line[] =>
      counts.map((clients) => ({ name, hosts, clients }))
    await print(lines('SQLite', embedded, [1, 10, 50]))
    await running.pop()!.stop()
    const first = await start('shared', postgres.url)
    const second = await start('shared', postgres.url)
    const databaseCpu = () => familyCpu(postgres.pid())
    await print(
      [
        ...lines('PostgreSQL', [first], [1, 10, 50]),
        ...lines('PostgreSQL, two servers', [first, second], [10, 50]),
      ],
      databaseCpu,
    )
    await running.pop()!.stop()
    await running.pop()!.stop()
    // Here one client waits for the network rather than for a processor.
    distance = await putAway(postgres.url, AWAY_MS)
    const third = await start('shared', distance.url)
    await print(lines(`PostgreSQL ${AWAY_MS} ms away`, [third], [1, 10]), databaseCpu)
  } finally {
    await Promise.all(running.map((host) => host.stop()))
    await distance?.stop()
    await postgres.stop()
    for (const path of [home, postgresHome]) await rm(path, { recursive: true, force: true })
  }
}

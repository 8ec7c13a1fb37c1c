/** Two servers on one PostgreSQL and one data directory; either is killed, the other continues. */
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '@steading/control-plane'
import { expect, inject, onTestFailed, onTestFinished, test } from 'vitest'
import { createEngine } from '../../src/engine.ts'
import { defaultConfig } from '../../src/config.ts'
import { findDangling } from '../../../control-plane/src/kernel/db/references.ts'
import { addressFaults } from '../../../control-plane/test/support/address-account.ts'
import { random } from '../../../control-plane/test/support/random.ts'
import { openPostgres } from '../../src/postgres.ts'
import { startBalancer } from '../support/balancer.ts'
import { createDatabase } from '../support/database.ts'
import { mixedLoad } from '../support/mixed-load.ts'
import { runToEnd, signIn, temporaryDirectory } from '../support/process.ts'
import { sharedCloud } from './cloud.ts'
import { startHost } from './host-process.ts'
import { BULK_INSTANCES, JobWorker } from './job-worker.ts'
import { leaks, rebootsOfBulk } from './leaks.ts'
import { GroupsWorker } from './groups-worker.ts'
import { NetworkWorker } from './network-worker.ts'
import { StorageWorker } from './storage-worker.ts'
import { acknowledgementsBefore, type Api, client, settled, until, Worker } from './workload.ts'

/** `KILLS=50 npm test -- two servers kills` tries harder. */
const KILLS = Number(process.env.KILLS ?? 2)
/** Milliseconds. The claims of a dead server are respected until their lease ends. */
const PATIENCE_MS = 120_000
const MOST_BEFORE_KILL = 40
const MOMENT_MS = 25

test.runIf(inject('postgresUrl'))(
  `two servers lose nothing in ${KILLS} kills of either`,
  { timeout: 600_000 + KILLS * 75_000 },
  async () => {
    const { data, databaseUrl, ask } = await sharedCloud()
    let acknowledged = 0
    let enough = () => {}
    let killAt = 0
    const count = () => {
      acknowledged++
      if (acknowledged >= killAt) enough()
    }
    const workers = Array.from({ length: 4 }, (_, index) => new Worker(`w${index}`, count))
    const storage = Array.from(
      { length: 2 },
      (_, index) => new StorageWorker(`s${index}`, count, PATIENCE_MS),
    )
    const networks = Array.from({ length: 2 }, (_, index) => new NetworkWorker(`n${index}`, count))
    const jobs = new JobWorker(count)
    const groups = new GroupsWorker(count)
    const hosts = [await startHost(data, databaseUrl), await startHost(data, databaseUrl)]
    const logs: string[] = []
    onTestFailed(() => {
      for (const log of [...logs, ...hosts.map((host) => host.log())]) console.error(log)
    })
    const cookie = await signIn(hosts[0]!.url)
    const apis = () => hosts.map(({ url }) => client(url, cookie))
    await apis()[0]!('POST', '/v1/projects', { name: 'work', description: '' })
    await jobs.prepare(apis()[1]!)
    await groups.prepare(apis()[0]!)
    for (const network of networks) await network.prepare(apis()[0]!)
    await settled(apis()[0]!)
    await jobs.begin(apis()[1]!)

    for (let kill = 0; kill < KILLS; kill++) {
      killAt = acknowledged + acknowledgementsBefore(kill, MOST_BEFORE_KILL)
      const reached = new Promise<void>((resolve) => (enough = resolve))
      const over = new AbortController()
      const everybody = [...workers, ...storage, ...networks, groups, jobs]
      const working = Promise.all(
        everybody.map((worker, index) =>
          worker.work(until(over.signal, apis()[(index + kill) % hosts.length]!)),
        ),
      )
      await Promise.race([working, reached])
      await pause(random() * MOMENT_MS)
      const victim = Math.floor(random() * hosts.length)
      await hosts[victim]!.kill()
      logs.push(hosts[victim]!.log())
      hosts[victim] = await startHost(data, databaseUrl)
      over.abort()
      await working
    }

    const [api] = apis() as [Api]
    await jobs.finish(api)
    expect(jobs.wrong).toEqual([])
    expect(jobs.finished).toBeGreaterThan(0)
    expect(await rebootsOfBulk(ask)).toEqual([{ reboots: jobs.reboots, instances: BULK_INSTANCES }])
    expect(acknowledged).toBeGreaterThan(KILLS * 5)
    const instances = await settled(api)
    for (const worker of workers) expect(worker.broken(instances)).toEqual([])
    expect(await groups.broken(api)).toEqual([])
    for (const network of networks) expect(await network.broken(api)).toEqual([])
    for (const worker of storage) {
      for (const { url } of hosts) expect(await worker.broken(url, cookie)).toEqual([])
    }
    await expect.poll(() => leaks(ask, data), { interval: 500 }).toEqual([])
    const opened = await openDatabase(
      await openPostgres(databaseUrl),
      (await createEngine({ ...defaultConfig(), engine: 'simulated', data })).engine,
    )
    expect(await findDangling(opened.db)).toEqual([])
    expect(await addressFaults(opened.db)).toEqual([])
    await opened.close()
  },
)

test.runIf(inject('postgresUrl'))(
  'a server with the wrong data directory refuses to start, with one line',
  async () => {
    const databaseUrl = await createDatabase()
    await startHost(temporaryDirectory(), databaseUrl)
    const other = temporaryDirectory()
    const args = ['--port', '0', '--data', other, '--database-url', databaseUrl]
    const { code, stderr } = await runToEnd(args)
    expect(code).toBe(2)
    expect(stderr).toBe(
      `steading: the data directory ${other} does not belong to this database; ` +
        'servers on one database share the data directory of the first\n',
    )
  },
)

test.runIf(inject('postgresUrl'))(
  'two servers behind one address behave like one under load @long',
  async () => {
    const databaseUrl = await createDatabase()
    const data = temporaryDirectory()
    const servers = [await startHost(data, databaseUrl), await startHost(data, databaseUrl)]
    const { url, close } = await startBalancer(servers.map(({ url }) => url))
    onTestFinished(close)
    const cookie = await signIn(url)
    const load = { url, cookie, clients: 4, followers: 3, milliseconds: 3_000 }
    const { wrong, calls, lines, told } = await mixedLoad(load)
    expect(wrong).toEqual([])
    expect(Math.min(calls, lines, told)).toBeGreaterThan(0)
  },
)

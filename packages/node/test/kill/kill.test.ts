import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '@steading/control-plane'
import { expect, test } from 'vitest'
import { createEngine } from '../../src/engine.ts'
import { defaultConfig } from '../../src/config.ts'
import { findDangling } from '../../../control-plane/src/kernel/db/references.ts'
import { addressFaults } from '../../../control-plane/test/support/address-account.ts'
import { random } from '../../../control-plane/test/support/random.ts'
import { openSqlite } from '../../src/sqlite.ts'
import { signIn } from '../support/process.ts'
import { embeddedCloud } from './cloud.ts'
import { startHost } from './host-process.ts'
import { BULK_INSTANCES, JobWorker } from './job-worker.ts'
import { GroupsWorker } from './groups-worker.ts'
import { NetworkWorker } from './network-worker.ts'
import { RulesWorker } from './rules-worker.ts'
import { StorageWorker } from './storage-worker.ts'
import { leaks, rebootsOfBulk } from './leaks.ts'
import { acknowledgementsBefore, client, settled, Worker } from './workload.ts'

/** `KILLS=200 npm test -- nothing acknowledged` tries harder. */
const KILLS = Number(process.env.KILLS ?? 4)
const WORKERS = 4
const STORAGE_WORKERS = 2
/**
 * Maximum number of acknowledgements before a kill, which follows after a random delay: a busy
 * machine makes lives longer, not emptier.
 */
const MOST_BEFORE_KILL = 20
const MOMENT_MS = 25

test(
  `nothing acknowledged is lost in ${KILLS} kills, nothing hangs, nothing leaks`,
  { timeout: 200_000 + KILLS * 30_000 },
  async () => {
    let acknowledged = 0
    let enough = () => {}
    let killAt = 0
    const count = () => {
      acknowledged++
      if (acknowledged >= killAt) enough()
    }
    const workers = Array.from({ length: WORKERS }, (_, index) => new Worker(`w${index}`, count))
    const storage = Array.from(
      { length: STORAGE_WORKERS },
      (_, index) => new StorageWorker(`s${index}`, count),
    )
    const jobs = new JobWorker(count)
    const rules = new RulesWorker(count)
    const groups = new GroupsWorker(count)
    const networks = Array.from({ length: 2 }, (_, index) => new NetworkWorker(`n${index}`, count))
    const everybody = [...workers, ...storage, ...networks, rules, groups, jobs]
    const { data, ask } = embeddedCloud()
    let host = await startHost(data)
    const cookie = await signIn(host.url)
    await client(host.url, cookie)('POST', '/v1/projects', { name: 'work', description: '' })
    await jobs.prepare(client(host.url, cookie))
    await groups.prepare(client(host.url, cookie))
    for (const network of networks) await network.prepare(client(host.url, cookie))
    await settled(client(host.url, cookie))
    await jobs.begin(client(host.url, cookie))

    for (let kill = 1; kill <= KILLS; kill++) {
      const api = client(host.url, cookie)
      killAt = acknowledged + acknowledgementsBefore(kill, MOST_BEFORE_KILL)
      const reached = new Promise<void>((resolve) => (enough = resolve))
      const working = Promise.all(everybody.map((worker) => worker.work(api)))
      await Promise.race([working, reached])
      await pause(random() * MOMENT_MS)
      await host.kill()
      await working
      host = await startHost(data)
    }

    const api = client(host.url, cookie)
    await jobs.finish(api)
    expect(jobs.wrong).toEqual([])
    await rules.look(api)
    expect(rules.wrong).toEqual([])
    expect(jobs.finished).toBeGreaterThan(0)
    expect(await rebootsOfBulk(ask)).toEqual([{ reboots: jobs.reboots, instances: BULK_INSTANCES }])
    // Hardly any acknowledgements would make the test worthless.
    expect(acknowledged).toBeGreaterThan(KILLS * 5)
    const instances = await settled(api)
    for (const worker of workers) expect(worker.broken(instances)).toEqual([])
    expect(await groups.broken(api)).toEqual([])
    for (const network of networks) expect(await network.broken(api)).toEqual([])
    // A last pass of the reconciler may still be removing the volume of a deleted disk.
    for (const worker of storage) expect(await worker.broken(host.url, cookie)).toEqual([])
    await expect.poll(() => leaks(ask, data)).toEqual([])
    const database = await openDatabase(
      openSqlite(join(data, 'steading.db')),
      (await createEngine({ ...defaultConfig(), engine: 'simulated', data })).engine,
    )
    expect(await findDangling(database.db)).toEqual([])
    expect(await addressFaults(database.db)).toEqual([])
    await database.close()
  },
)

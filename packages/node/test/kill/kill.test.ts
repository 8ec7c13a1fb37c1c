import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '@steading/control-plane'
import { afterAll, expect, test } from 'vitest'
import { findDangling } from '../../../control-plane/src/kernel/db/references.ts'
import { openSqlite } from '../../src/sqlite.ts'
import { type HostProcess, startHost } from './host-process.ts'
import { BULK_INSTANCES, JobWorker } from './job-worker.ts'
import { StorageWorker } from './storage-worker.ts'
import { type Api, client, Worker } from './workload.ts'

const KILLS = 50
const WORKERS = 4
const STORAGE_WORKERS = 2
/**
 * The server is killed after a random number of acknowledgements up to this, and a random moment
 * more: a busy machine makes lives longer, not emptier.
 */
const MOST_BEFORE_KILL = 20
const MOMENT_MS = 25

const data = mkdtempSync(join(tmpdir(), 'steading-kill-'))
let host: HostProcess | undefined
/** Also when the test fails: nothing is left running. */
afterAll(async () => {
  await host?.kill()
  rmSync(data, { recursive: true, force: true })
})

async function signIn(url: string): Promise<string> {
  const response = await fetch(`${url}/v1/login/main/local`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: 'password' }),
  })
  return response.headers.get('set-cookie')!.split(';')[0]!
}

async function listAll(api: Api, kind: 'instances' | 'disks'): Promise<any[]> {
  return (await api('GET', `/v1/${kind}?project=work&limit=10000`)).body.items
}

/** Asks until nothing is on its way from one state to another any more. */
async function settled(api: Api): Promise<any[]> {
  const deadline = Date.now() + 30_000
  for (;;) {
    const instances = await listAll(api, 'instances')
    const moving = instances.filter(
      ({ run_state }) => !['running', 'stopped', 'failed'].includes(run_state),
    )
    if (moving.length === 0) return instances
    if (Date.now() > deadline) {
      throw new Error(`stuck: ${moving.map((i) => `${i.name} ${i.run_state}`).join(', ')}`)
    }
    await pause(20)
  }
}

/** What rows say is held, against the counters that say so too. */
function leaks(): string[] {
  const db = new DatabaseSync(join(data, 'steading.db'), { readOnly: true })
  const found: string[] = []
  const same = (what: string, a: string, b: string) => {
    const [left, right] = [a, b].map((sql) => JSON.stringify(db.prepare(sql).all()))
    if (left !== right) found.push(`${what}: ${left} but ${right}`)
  }
  const live = 'time_deleted is null'
  same(
    'quota of CPU and memory',
    'select used_cpus cpus, used_memory memory from silo',
    `select coalesce(sum(ncpus), 0) cpus, coalesce(sum(memory), 0) memory from instance where vm_id is not null`,
  )
  same(
    'quota of storage',
    'select used_storage bytes from silo',
    `select coalesce(sum(size), 0) bytes from
     (select size from disk where ${live} union all select size from snapshot where ${live})`,
  )
  same(
    'room on sleds',
    'select id, used_threads, used_ram from sled where used_threads > 0 or used_ram > 0 order by id',
    `select sled_id id, sum(ncpus) used_threads, sum(memory) used_ram from instance
     where sled_id is not null group by sled_id order by sled_id`,
  )
  const instances = `(select id from instance where ${live})`
  same(
    'addresses',
    `select id from external_ip where instance_id not in ${instances}`,
    'select 1 where 0',
  )
  same(
    'addresses that are free and in use',
    `select id from external_ip join free_address
       on space_id = ip_pool_id and ip_key between first_key and last_key
     union all select id from external_ip join free_snat using (ip_pool_id, ip_key, first_port)`,
    'select 1 where 0',
  )
  same(
    'addresses that are neither',
    `select count(*) blocks from (select distinct ip_key from external_ip) as shared,
       (select 1 union all select 2 union all select 3 union all select 4)`,
    `select (select count(*) from external_ip) + (select count(*) from free_snat) blocks`,
  )
  same(
    'interfaces',
    `select id from network_interface where instance_id not in ${instances}`,
    'select 1 where 0',
  )
  same(
    'every instance has its interface and outbound address',
    `select id from instance where ${live} order by id`,
    `select instance_id id from network_interface join external_ip using (instance_id) order by instance_id`,
  )
  same(
    'disks attached to what is gone',
    `select id from disk where ${live} and instance_id is not null and instance_id not in ${instances}`,
    'select 1 where 0',
  )
  same(
    'machines',
    'select id from simulated_vm order by id',
    'select vm_id id from instance where vm_id is not null order by vm_id',
  )
  same(
    'volumes',
    'select id from simulated_volume where is_snapshot = 0 order by id',
    `select id from disk where ${live} order by id`,
  )
  same(
    'snapshots',
    'select id from simulated_volume where is_snapshot = 1 order by id',
    `select id from snapshot where ${live} order by id`,
  )
  same('unfinished work', 'select id from disk where reconcile_at is not null', 'select 1 where 0')
  same(
    'snapshots on their way',
    `select id from snapshot where reconcile_at is not null or state = 'creating'`,
    'select 1 where 0',
  )
  const rows = db.prepare('select id, has_bytes from simulated_volume').all()
  const stored = new Set(readdirSync(join(data, 'volumes')))
  // A chunk that was cut off has left files before its volume is known to have some.
  for (const { id, has_bytes } of rows) {
    if (!stored.delete(String(id)) && has_bytes) found.push(`no files of volume ${id}`)
  }
  if (stored.size > 0) found.push(`files of nobody: ${[...stored].join()}`)
  db.close()
  return found
}

/** How often the instances of jobs were rebooted since their start. */
function rebootsOfBulk(): unknown[] {
  const db = new DatabaseSync(join(data, 'steading.db'), { readOnly: true })
  const rows = db
    .prepare(
      `select reboot_count reboots, count(*) instances from instance where name like 'bulk-%'
       group by reboot_count`,
    )
    .all()
  db.close()
  return rows.map((row) => ({ ...row }))
}

test(
  `nothing acknowledged is lost in ${KILLS} kills, nothing hangs, nothing leaks`,
  { timeout: 400_000 },
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
    const everybody = [...workers, ...storage, jobs]
    host = await startHost(data)
    const cookie = await signIn(host.url)
    await client(host.url, cookie)('POST', '/v1/projects', { name: 'work', description: '' })
    await jobs.prepare(client(host.url, cookie))
    await settled(client(host.url, cookie))

    for (let kill = 1; kill <= KILLS; kill++) {
      const api = client(host.url, cookie)
      killAt = acknowledged + Math.ceil(Math.random() * MOST_BEFORE_KILL)
      const reached = new Promise<void>((resolve) => (enough = resolve))
      const working = Promise.all(everybody.map((worker) => worker.work(api)))
      await Promise.race([working, reached])
      await pause(Math.random() * MOMENT_MS)
      await host.kill()
      await working
      host = await startHost(data)
    }

    const api = client(host.url, cookie)
    await jobs.finish(api)
    expect(jobs.wrong).toEqual([])
    expect(jobs.finished).toBeGreaterThan(0)
    expect(rebootsOfBulk()).toEqual([{ reboots: jobs.reboots, instances: BULK_INSTANCES }])
    const instances = new Map((await settled(api)).map((instance) => [instance.name, instance]))
    const memories = workers.flatMap((worker) => [...worker.instances])
    // The test is worth nothing if hardly anything was acknowledged.
    expect(acknowledged).toBeGreaterThan(KILLS * 5)
    for (const [name, { exists, wants }] of memories) {
      if (exists === 'there') {
        expect(instances.get(name), `${name} was acknowledged`).toBeDefined()
        if (wants !== 'unknown')
          expect(`${name} ${instances.get(name).run_state}`).toBe(`${name} ${wants}`)
      }
      if (exists === 'gone') expect(instances.get(name), `${name} was deleted`).toBeUndefined()
    }
    // A last pass of the reconciler may still be removing the volume of a deleted disk.
    for (const worker of storage) expect(await worker.broken(host.url, cookie)).toEqual([])
    await expect.poll(leaks, { timeout: 15_000 }).toEqual([])
    const database = await openDatabase(openSqlite(join(data, 'steading.db')))
    expect(await findDangling(database.db)).toEqual([])
    await database.close()
  },
)

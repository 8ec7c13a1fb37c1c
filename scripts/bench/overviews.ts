/**
 * Overviews of a project, a silo and the fleet, compared with a plain page of the list of instances
 * in the same run, on the embedded database.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { FLEET_ID } from '../../packages/api/src/rules.ts'
import { seedAuditLog } from './audit-log.ts'
import { signIn, startHost } from './host.ts'
import { serialLoad } from './requests.ts'
import { seedDisks, seedInstances } from './seed.ts'

const PROJECT = 'overview'
const SIZES = [1_000, 20_000]
/** Changes of the provisioned capacity within the hour of the charts. */
const CHANGES = 1_000
const MINUTE_MS = 60_000

/** Writes the load of the last hour, and makes the changes of the last day those of the project. */
function seedHour(data: string): void {
  const db = new DatabaseSync(join(data, 'steading.db'))
  const project = db.prepare('select id, silo_id from project where name = ?').get(PROJECT)
  const { id, silo_id } = project as { id: string; silo_id: string }
  const minute = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS
  const load = db.prepare(
    `insert or ignore into load values (?, ?, 12.5, 1000000, 2000000, 9000, 40, 2000)`,
  )
  const provisioned = db.prepare(
    `insert or ignore into provisioned (kind, target_id, time, cpus, memory, storage)
     values (?, ?, ?, 1, 2, 3)`,
  )
  db.exec('begin')
  for (let ago = 0; ago < 65; ago++) {
    const time = new Date(minute - ago * MINUTE_MS).toISOString()
    for (const target of [id, silo_id, FLEET_ID]) load.run(target, time)
  }
  for (let change = 0; change < CHANGES; change++) {
    const time = new Date(minute - (change * 60 * MINUTE_MS) / CHANGES).toISOString()
    provisioned.run('project', id, time)
    provisioned.run('silo', silo_id, time)
  }
  db.prepare(
    `update audit_log set project_id = ? where time_completed > ? and target_kind = 'disk'`,
  ).run(id, new Date(minute - 24 * 60 * MINUTE_MS).toISOString())
  db.exec('commit')
  db.exec('analyze')
  db.close()
}

async function figuresAmong(count: number): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'steading-overview-'))
  try {
    const first = await startHost(data)
    const headers = {
      cookie: await signIn(first.url),
      'content-type': 'application/json',
    }
    const body = JSON.stringify({ name: PROJECT, description: '' })
    await fetch(`${first.url}/v1/projects`, { method: 'POST', headers, body })
    await first.stop()
    seedInstances(data, PROJECT, count)
    seedDisks(data, PROJECT)
    seedAuditLog(data)
    seedHour(data)
    const host = await startHost(data)
    const cookie = await signIn(host.url)
    const call = (path: string) => serialLoad(host.url + path, cookie)
    const ms = (value: number) => `${value.toFixed(1)} ms`.padStart(9)
    // The longest turn of the start does not count.
    await host.longestTurn()
    const list = await call(`/v1/instances?project=${PROJECT}&limit=50`)
    console.log(
      `\n${String(count).padEnd(8)} instances, one call at a time  first      p50      p99   of a page of 50   longest turn`,
    )
    for (const [name, query] of Object.entries({
      project: `?project=${PROJECT}`,
      silo: '',
      fleet: '',
    })) {
      const path = `/x/v1/overview/${name}${query}`
      const began = performance.now()
      await (await fetch(host.url + path, { headers: { cookie } })).arrayBuffer()
      const once = performance.now() - began
      const { p50, p99 } = await call(path)
      const { worked } = await host.longestTurn()
      const ratio = `${(p50 / list.p50).toFixed(1)} times`.padStart(14)
      console.log(
        `overview of the ${name}`.padEnd(36) + ms(once) + ms(p50) + ms(p99) + ratio + ms(worked),
      )
    }
    console.log(`page of 50 instances`.padEnd(45) + ms(list.p50) + ms(list.p99))
    await host.stop()
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}

export async function overviewFigures(): Promise<void> {
  for (const count of SIZES) await figuresAmong(count)
}

/**
 * Many schedules that are due in the same minute, on the embedded database: of snapshots, and of
 * stopping instances. The time until all have run, and the longest event-loop turn meanwhile.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { GiB, type ScheduleActionName } from '../../packages/api/src/rules.ts'
import { named } from '../../packages/control-plane/src/kernel/search/name-key.ts'
import { type BenchHost, signIn, startHost } from './host.ts'

const SCHEDULES = Number(process.env.SCHEDULES ?? 10_000)
const DISKS = 20
const MINUTE_MS = 60_000

/** Writes schedules, spread over a minute that has passed; the host must not be running. */
function seedSchedules(data: string, action: ScheduleActionName, targets: string[]): void {
  const db = new DatabaseSync(join(data, 'steading.db'))
  const project = db.prepare(`select id from project where name = 'bench'`).get()!
  const user = db.prepare('select id from silo_user').get()!
  const schedule = db.prepare(
    `insert into schedule (id, name, name_key, description, time_created, time_modified, project_id,
       action, cron, time_zone, retention, state, author_id, time_next, runs, reconcile_at, fence,
       step_failures)
     values (:id, :name, :name_key, '', :time, :time, :project, :action, '0 2 * * *',
       'Europe/Berlin', :retention, 'active', :user, :due, 0, :due, 0, 0)`,
  )
  const target = db.prepare(`insert into schedule_target values (?, ?, ?)`)
  const now = Date.now()
  const time = new Date(now).toISOString()
  const retention =
    action === 'snapshot'
      ? JSON.stringify({ last: 1, daily: 7, weekly: 4, monthly: 12, yearly: 0 })
      : null
  db.exec('begin')
  for (let index = 0; index < SCHEDULES; index++) {
    const id = randomUUID()
    const due = new Date(now - (index * MINUTE_MS) / SCHEDULES).toISOString()
    schedule.run({
      id,
      ...named(`schedule-${index}`),
      time,
      project: project.id!,
      action,
      retention,
      user: user.id!,
      due,
    })
    target.run(id, action === 'snapshot' ? 'disk' : 'instance', targets[index % targets.length]!)
  }
  db.exec('commit')
  db.exec('analyze')
  db.close()
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Milliseconds between two looks at the list; the pings in between are shorter. */
const LOOK_MS = 3_000
const PING_MS = 50

/** Waits until no schedule has yet to run. @returns the milliseconds that pings took, sorted */
async function untilAllRan({ url }: BenchHost, cookie: string): Promise<number[]> {
  const pings: number[] = []
  for (;;) {
    const next = performance.now() + LOOK_MS
    while (performance.now() < next) {
      const began = performance.now()
      await (await fetch(`${url}/v1/ping`)).arrayBuffer()
      pings.push(performance.now() - began)
      await pause(PING_MS)
    }
    const query = 'project=bench&last_result=succeeded,failed&limit=1'
    const response = await fetch(`${url}/x/v1/schedules?${query}`, { headers: { cookie } })
    const { total } = (await response.json()) as { total: number }
    if (total >= SCHEDULES) return pings.toSorted((a, b) => a - b)
  }
}

async function figuresOf(action: ScheduleActionName): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'steading-schedules-'))
  try {
    const first = await startHost(data)
    const headers = { cookie: await signIn(first.url), 'content-type': 'application/json' }
    const create = async (path: string, body: object): Promise<{ id: string }> => {
      const options = { method: 'POST', headers, body: JSON.stringify(body) }
      const response = await fetch(first.url + path, options)
      if (!response.ok) throw new Error(`${path} answered ${await response.text()}`)
      return response.json() as Promise<{ id: string }>
    }
    await create('/v1/projects', { name: 'bench', description: '' })
    const targets: string[] = []
    for (let index = 0; index < DISKS; index++) {
      const name = `target-${index}`
      const identity = { name, description: '' }
      const disk_source = { type: 'blank', block_size: 512 }
      const disk_backend = { type: 'distributed', disk_source }
      const { id } =
        action === 'snapshot'
          ? await create('/v1/disks?project=bench', { ...identity, size: GiB, disk_backend })
          : await create('/v1/instances?project=bench', {
              ...identity,
              hostname: name,
              ncpus: 1,
              memory: GiB,
              start: false,
            })
      targets.push(id)
    }
    await pause(1_000)
    await first.stop()
    const quota = new DatabaseSync(join(data, 'steading.db'))
    quota.exec(`update silo set quota_storage = ${2 ** 50}`)
    quota.close()
    seedSchedules(data, action, targets)
    const host = await startHost(data)
    const began = performance.now()
    const cookie = await signIn(host.url)
    // The start and the password are not of interest.
    await host.longestTurn()
    const before = host.cpu()
    const pings = await untilAllRan(host, cookie)
    const seconds = (performance.now() - began) / 1000
    const { passed, worked } = await host.longestTurn()
    const ms = (value: number) => `${value.toFixed(1)} ms`.padStart(10)
    console.log(
      `${action.padEnd(9)} ${SCHEDULES} schedules in ${seconds.toFixed(1)} s, ` +
        `processor ${((host.cpu() - before) / 1000).toFixed(1)} s, longest turn ${ms(passed)}, ` +
        `its work ${ms(worked)}; pings meanwhile: median ${ms(pings[pings.length >> 1]!)}, ` +
        `worst ${ms(pings.at(-1)!)}`,
    )
    await host.stop()
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}

export async function scheduleFigures(): Promise<void> {
  for (const action of ['stop', 'snapshot'] as const) await figuresOf(action)
}

/**
 * Many schedules that have failed, on the embedded database: the time until all are notifications
 * and their webhook has them, the time of the calls of the bell, and the longest event-loop turn.
 */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { type AddressInfo } from 'node:net'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { notificationTopics } from '../../packages/api/src/rules.ts'
import { named } from '../../packages/control-plane/src/kernel/search/name-key.ts'
import { type BenchHost, signIn, startHost } from './host.ts'

const NOTIFICATIONS = Number(process.env.NOTIFICATIONS ?? 10_000)
const ROUNDS = 50

function seedFailures(data: string): void {
  const db = new DatabaseSync(join(data, 'steading.db'))
  const project = db.prepare(`select id from project where name = 'bench'`).get()!
  const user = db.prepare('select id from silo_user').get()!
  const schedule = db.prepare(
    `insert into schedule (id, name, name_key, description, time_created, time_modified, project_id,
       action, cron, time_zone, state, author_id, runs, failed_run, failed_reason, time_failed,
       fence, step_failures)
     values (:id, :name, :name_key, '', :time, :time, :project, 'snapshot', '0 2 * * *',
       'Europe/Berlin', 'paused', :user, 1, 1, 'no room', :failed, 0, 0)`,
  )
  const now = Date.now()
  db.exec('begin')
  for (let index = 0; index < NOTIFICATIONS; index++) {
    schedule.run({
      id: randomUUID(),
      ...named(`schedule-${index}`),
      time: new Date(now).toISOString(),
      failed: new Date(now - index).toISOString(),
      project: project.id!,
      user: user.id!,
    })
  }
  db.exec('commit')
  db.exec('analyze')
  db.close()
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const ms = (value: number) => `${value.toFixed(1)} ms`

async function report(label: string, host: BenchHost, work: () => Promise<string>) {
  await host.longestTurn()
  const before = host.cpu()
  const text = await work()
  const { passed, worked } = await host.longestTurn()
  console.log(
    `${label.padEnd(12)} ${text}, processor ${((host.cpu() - before) / 1000).toFixed(1)} s, ` +
      `longest turn ${ms(passed)}, its work ${ms(worked)}`,
  )
}

export async function notificationFigures(): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'steading-notifications-'))
  let told = 0
  const receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const { notifications, more } = JSON.parse(body) as { notifications: object[]; more: number }
      told += notifications.length + more
      response.end()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const { port } = receiver.address() as AddressInfo
  process.env.STEADING_WEBHOOK_NETWORKS = '127.0.0.1'
  try {
    const first = await startHost(data)
    const headers = { cookie: await signIn(first.url), 'content-type': 'application/json' }
    const create = async (path: string, body: object) => {
      const options = { method: 'POST', headers, body: JSON.stringify(body) }
      const response = await fetch(first.url + path, options)
      if (!response.ok) throw new Error(`${path} answered ${await response.text()}`)
    }
    await create('/v1/projects', { name: 'bench', description: '' })
    await create('/x/v1/notification-subscriptions', {
      scope: 'mine',
      topics: notificationTopics,
      severity: 'warning',
      digest: 'immediately',
      channel: { type: 'webhook', url: `http://127.0.0.1:${port}/` },
    })
    await first.stop()
    seedFailures(data)
    const host = await startHost(data)
    const get = async (path: string): Promise<unknown> => {
      const response = await fetch(host.url + path, { headers })
      return response.json()
    }
    await report('made', host, async () => {
      const began = performance.now()
      const page = '/x/v1/me/notifications?topic=schedule&limit=1&sort_by=time_changed_ascending'
      for (let found = 0; found < NOTIFICATIONS;) {
        const db = new DatabaseSync(join(data, 'steading.db'), { readOnly: true })
        found = Number(db.prepare('select count(*) as count from notification').get()!.count)
        db.close()
        await get(page)
        await pause(100)
      }
      return `${NOTIFICATIONS} in ${((performance.now() - began) / 1000).toFixed(1)} s`
    })
    for (const [label, path] of Object.entries({
      bell: '/x/v1/me/notifications/unread',
      'latest 8': '/x/v1/me/notifications?limit=8&sort_by=time_changed_descending',
      'unread page': '/x/v1/me/notifications?unread=true&sort_by=time_changed_descending',
    })) {
      await report(label, host, async () => {
        const times: number[] = []
        for (let round = 0; round < ROUNDS; round++) {
          const began = performance.now()
          await get(path)
          times.push(performance.now() - began)
        }
        times.sort((a, b) => a - b)
        return `median ${ms(times[ROUNDS >> 1]!)}, worst ${ms(times.at(-1)!)}`
      })
    }
    await report('looking', host, async () => {
      await pause(25_000)
      return 'twice more, without changes'
    })
    await report('sent', host, async () => {
      const began = performance.now()
      while (told < NOTIFICATIONS) await pause(100)
      return `${told} in a further ${((performance.now() - began) / 1000).toFixed(1)} s`
    })
    await host.stop()
  } finally {
    receiver.close()
    rmSync(data, { recursive: true, force: true })
  }
}

/** Servers that are killed while schedules are due: none runs twice, and none is lost. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import type { Wire } from '@steading/api'
import { GiB } from '@steading/api/rules'
import { Client } from 'pg'
import { expect, inject, test } from 'vitest'
import { long } from '../../../control-plane/test/support/long.ts'
import { random } from '../../../control-plane/test/support/random.ts'
import { createDatabase } from '../support/database.ts'
import { migratedDirectory, signIn, temporaryDirectory } from '../support/process.ts'
import { startHost } from './host-process.ts'
import { client } from './workload.ts'

const KILLS = long ? 6 : 2
const ROUNDS = 2
const DISKS = 4
const SCHEDULES = 16
/** Saved with a time that never comes; they become due while no server runs. */
const time_due = '2999-01-01T00:00:00.000Z'
/** Milliseconds after that, in which a server is killed. */
const MOMENT_MS = 150
const path = '/x/v1/schedules'
const schedules = Array.from({ length: SCHEDULES }, (_, index) => `night-${index}`)

/** Makes all schedules due at the present time. */
async function makeDue(data: string, databaseUrl?: string): Promise<void> {
  const now = new Date().toISOString()
  const sql = `update schedule set time_once = '${now}', time_next = '${now}', reconcile_at = '${now}'`
  if (databaseUrl === undefined) {
    const database = new DatabaseSync(join(data, 'steading.db'))
    database.exec(sql)
    database.close()
    return
  }
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(sql)
  await client.end()
}

/**
 * Makes schedules with a retention of one snapshot due twice, and kills servers meanwhile.
 * @param servers on one database
 */
async function scheduleDespiteKills(
  data: string,
  servers: number,
  databaseUrl?: string,
): Promise<string[]> {
  const hosts = await Promise.all(
    Array.from({ length: servers }, () => startHost(data, databaseUrl)),
  )
  const cookie = await signIn(hosts[0]!.url)
  const call = (method: string, its: string, body?: object) =>
    client(hosts[0]!.url, cookie)(method, its, body)
  await call('POST', '/v1/projects', { name: 'work', description: '' })
  for (let index = 0; index < DISKS; index++) {
    const disk_source = { type: 'blank', block_size: 512 }
    const { status } = await call('POST', '/v1/disks?project=work', {
      name: `disk-${index}`,
      description: '',
      size: GiB,
      disk_backend: { type: 'distributed', disk_source },
    })
    expect(status).toBe(201)
  }
  for (let round = 1; round <= ROUNDS; round++) {
    for (const [index, name] of schedules.entries()) {
      const recurrence = { type: 'once', time_due }
      const { status } =
        round === 1
          ? await call('POST', `${path}?project=work`, {
              name,
              description: '',
              action: 'snapshot',
              recurrence,
              retention: { last: 1 },
              targets: [{ kind: 'disk', disk: `disk-${index % DISKS}` }],
            })
          : await call('PUT', `${path}/${name}?project=work`, { recurrence })
      expect(status).toBe(round === 1 ? 201 : 200)
    }
    for (const host of hosts) await host.kill()
    await makeDue(data, databaseUrl)
    for (const index of hosts.keys()) hosts[index] = await startHost(data, databaseUrl)
    for (let kill = 0; kill < KILLS / ROUNDS; kill++) {
      await pause(random() * MOMENT_MS)
      const victim = kill % servers
      await hosts[victim]!.kill()
      hosts[victim] = await startHost(data, databaseUrl)
    }
    await expect
      .poll(
        async () => {
          const { body } = await call('GET', `${path}?project=work`)
          const { items } = body as { items: Wire.Schedule[] }
          return items.map(({ state, last_run }) => `${state}, ${last_run?.state}`)
        },
        { interval: 50 },
      )
      .toEqual(schedules.map(() => 'ended, succeeded'))
  }
  for (const name of schedules) {
    const { body } = await call('GET', `${path}/${name}/runs?project=work`)
    const runs = (body as { items: Wire.ScheduleRun[] }).items
    expect(runs.map(({ number, cause, failed }) => ({ number, cause, failed }))).toEqual([
      { number: 1, cause: 'due', failed: 0 },
      { number: 2, cause: 'due', failed: 0 },
    ])
  }
  const { body } = await call('GET', '/v1/snapshots?project=work&limit=1000')
  const names = (body as { items: Wire.Snapshot[] }).items.map(({ name }) => name)
  return names.map((name) => name.replace(/-\d{8}-\d{6}$/, '')).toSorted()
}

/**
 * The retention has removed the first snapshot of each schedule, and no schedule took a third.
 */
const left = schedules.map((name, index) => `disk-${index % DISKS}-${name}`).toSorted()

test(`schedules run once each, in ${KILLS} kills of their server`, async () => {
  expect(await scheduleDespiteKills(migratedDirectory(), 1)).toEqual(left)
})

test.runIf(inject('postgresUrl'))(
  `schedules run once each on two servers, in ${KILLS} kills of either @long`,
  async () => {
    const databaseUrl = await createDatabase()
    expect(await scheduleDespiteKills(temporaryDirectory(), 2, databaseUrl)).toEqual(left)
  },
)

/**
 * A server is killed while it collects and evaluates alert rules, and another one that shares its
 * database and its data directory continues.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { timeseriesFacts } from '@steading/api'
import { Client } from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { startServer } from '../../src/server.ts'
import { createDatabase } from '../support/database.ts'
import { signIn, temporaryDirectory } from '../support/process.ts'
import { collectorConfig } from './collector-config.ts'
import { client } from './workload.ts'

/** Sensors are read in every other round. */
const ROUNDS = 4

/** Starts the server to be killed. */
async function startWorker(data: string, databaseUrl: string) {
  const worker = join(import.meta.dirname, 'collector-worker.ts')
  const child = spawn(process.execPath, [worker, data, databaseUrl], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const kill = async () => {
    child.kill('SIGKILL')
    await exited
  }
  onTestFinished(kill)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const says = async (line: string) => expect((await lines.next()).value).toBe(line)
  await says('started')
  const tell = (command: 'collect' | 'evaluate') => child.stdin.write(`${command}\n`)
  return {
    tell,
    kill,
    async does(command: 'collect' | 'evaluate') {
      tell(command)
      await says(command)
    },
  }
}

test.runIf(inject('postgresUrl'))(
  'another server takes over from a killed collector, and uncommitted firings fire once',
  async () => {
    const databaseUrl = await createDatabase()
    const data = temporaryDirectory()
    const worker = await startWorker(data, databaseUrl)
    const config = collectorConfig(data, databaseUrl)
    const other = await startServer(config)
    onTestFinished(() => other.close())
    const { controlPlane } = other
    const told: { alert: string; class: string }[] = []
    const receiver = createServer(async (request, response) => {
      const alert = request.headers['x-oxide-alert-id'] as string
      told.push({ alert, class: JSON.parse(await text(request)).alert_class })
      response.end()
    })
    receiver.listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    onTestFinished(() => void receiver.close())
    const api = client(other.url, await signIn(other.url, config.adminPassword))
    const webhook = await api('POST', '/v1/webhook-receivers', {
      name: 'pager',
      description: '',
      endpoint: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
      secrets: ['sesame'],
      subscriptions: ['alert_rule.*'],
    })
    expect(webhook.status).toBe(201)
    const rule = await api('POST', '/x/v1/system/alert-rules', {
      name: 'always',
      description: '',
      query: 'get hardware_component:temperature',
      comparison: 'above',
      threshold: -1,
      duration: 0,
      severity: 'critical',
    })
    expect(rule.status).toBe(201)
    for (let round = 0; round < ROUNDS; round++) await worker.does('collect')

    // The worker's evaluation waits for the end of this transaction.
    const database = new Client({ connectionString: databaseUrl })
    await database.connect()
    onTestFinished(() => database.end())
    await database.query('begin')
    await database.query('select id from alert_rule for update')
    worker.tell('evaluate')
    const blocked = async () => {
      // Within a transaction, statistics are cached from the first query on.
      await database.query('select pg_stat_clear_snapshot()')
      const { rowCount } = await database.query(`
        select pid from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and query like 'update "alert_rule"%'`)
      return rowCount
    }
    await expect.poll(blocked).toBe(1)
    worker.tell('collect')
    await worker.kill()
    await database.query('rollback')

    const read = async (name: string) =>
      controlPlane.engines.timeSeries!.read({ name, where: [] }, 1_000_000)
    const count = async () =>
      (await read('hardware_component:temperature').catch(() => []))
        .map(({ timestamps }) => timestamps.length)
        .reduce((a, b) => Math.max(a, b), 0)
    await expect.poll(count).toBeGreaterThanOrEqual(ROUNDS / 2)
    const inherited = await count()
    const states = async () => {
      await controlPlane.collect()
      await controlPlane.evaluateRules()
      return (await api('GET', '/x/v1/system/alert-rules/always')).body.state
    }
    await expect.poll(states).toBe('firing')
    await expect.poll(count).toBeGreaterThan(inherited)
    const { rows: firings } = await database.query('select series_key from alert_rule_firing')
    expect(firings.length).toBeGreaterThan(0)
    expect(new Set(firings.map((row) => row.series_key)).size).toBe(firings.length)

    // Disabling the rule resolves it, and the alerts before that are complete.
    await api('PUT', '/x/v1/system/alert-rules/always', { enabled: false })
    await expect.poll(() => told.length).toBeGreaterThanOrEqual(2)
    expect(new Set(told.map(({ alert }) => alert)).size).toBe(2)
    expect(told.map((one) => one.class).toSorted()).toEqual([
      'alert_rule.firing',
      'alert_rule.resolved',
    ])

    // The dead server's data is complete, and counters continue or restart.
    let counters = 0
    for (const { name, datumType } of timeseriesFacts) {
      for (const { timestamps, startTimes, values } of await read(name)) {
        for (let index = 1; index < timestamps.length; index++) {
          expect(timestamps[index]!).toBeGreaterThan(timestamps[index - 1]!)
          if (!startTimes || !datumType.startsWith('cumulative')) continue
          counters++
          const [before, after] = [startTimes[index - 1]!, startTimes[index]!]
          expect(after).toBeGreaterThanOrEqual(before)
          if (after === before)
            expect(values[index]).toBeGreaterThanOrEqual(values[index - 1] as number)
        }
      }
    }
    expect(counters).toBeGreaterThan(0)
  },
)

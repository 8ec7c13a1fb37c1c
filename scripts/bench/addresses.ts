/** Cost of the next free address of a large pool, by the number of addresses in use. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { formatAddress, lastAddress, parseNetwork } from '../../packages/api/src/rules.ts'
import { addressKey } from '../../packages/control-plane/src/resources/networking/addresses/keys.ts'
import { type BenchHost, signIn, startHost } from './host.ts'

const PROJECT = 'addressed'
const PAIRS = 200
const RANGES = 20

/** Pools with their addresses in use: nine of ten, from the first on. */
const pools = [
  { name: 'small-v4', network: '10.0.0.0/8', count: 1_000, more: '192.0.2.1' },
  { name: 'large-v4', network: '11.0.0.0/8', count: 1_000_000, more: '198.51.100.1' },
  { name: 'large-v6', network: 'fd00:1::/48', count: 1_000_000, more: 'fd00:2::1' },
]

/** Writes pools and addresses directly into a database whose host is not running. */
function seed(data: string): void {
  const db = new DatabaseSync(join(data, 'steading.db'))
  db.exec('pragma synchronous = off; pragma cache_size = -500000')
  const first = (sql: string) => db.prepare(sql).get() as { id: string }
  const project = first(`select id from project where name = '${PROJECT}'`)
  const silo = first('select id from silo')
  const time = new Date().toISOString()
  const addPool = db.prepare(
    `insert into ip_pool (id, name, name_key, description, time_created, time_modified, ip_version,
       pool_type, allocated)
     values (?, ?, ?, '', ?, ?, ?, 'unicast', ?)`,
  )
  const addRange = db.prepare(
    `insert into ip_pool_range (id, ip_pool_id, first_key, last_key, time_created)
     values (?, ?, ?, ?, ?)`,
  )
  const link = db.prepare(
    'insert into ip_pool_silo_link (ip_pool_id, silo_id, is_default) values (?, ?, 0)',
  )
  const add = db.prepare(
    `insert into external_ip (id, kind, ip, ip_key, ip_pool_id, project_id, first_port, last_port,
       time_created, time_modified)
     values (?, 'ephemeral', ?, ?, ?, ?, 0, 65535, ?, ?)`,
  )
  db.exec('begin')
  for (const { name, network, count } of pools) {
    const range = parseNetwork(network)!
    const { version, value } = range
    const id = randomUUID()
    addPool.run(id, name, name, time, time, version, count)
    addRange.run(randomUUID(), id, addressKey(range), addressKey(lastAddress(range)), time)
    link.run(id, silo.id)
    for (let index = 0, step = 0; index < count; step++) {
      if (step % 10 === 9) continue
      const address = { version, value: value + BigInt(step) }
      const ip = formatAddress(address)
      add.run(randomUUID(), ip, addressKey(address), id, project.id, time, time)
      index++
    }
  }
  db.exec('commit')
  db.exec('analyze')
  db.close()
}

export async function addressFigures(): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'steading-addresses-'))
  let host: BenchHost | undefined
  try {
    host = await startHost(data)
    let cookie = await signIn(host.url)
    const headers = { cookie, 'content-type': 'application/json' }
    await fetch(`${host.url}/v1/projects`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ name: PROJECT, description: '' }),
    })
    await host.stop()
    seed(data)
    host = await startHost(data)
    cookie = await signIn(host.url)
    const { url } = host
    const call = async (method: string, path: string, body?: object) => {
      const response = await fetch(`${url}${path}?project=${PROJECT}`, {
        method,
        headers: { ...headers, cookie },
        body: body && JSON.stringify(body),
      })
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}`)
    }
    const pair = async (pool: string, name: string) => {
      const address_allocator = { type: 'auto', pool_selector: { type: 'explicit', pool } }
      await call('POST', '/v1/floating-ips', { name, description: '', address_allocator })
      await call('DELETE', `/v1/floating-ips/${name}`)
    }
    /** Adds and removes a range, and asks for the utilization. */
    const changeRanges = async (pool: string, address: string) => {
      const range = { first: address, last: address }
      const path = `/v1/system/ip-pools/${pool}`
      await call('POST', `${path}/ranges/add`, range)
      await call('GET', `${path}/utilization`)
      await call('POST', `${path}/ranges/remove`, range)
    }
    console.log('floating addresses taken and given back, one pair at a time')
    const medians: Record<string, number> = {}
    for (const { name, network, count, more } of pools) {
      const began = performance.now()
      await pair(name, 'first')
      const firstMs = performance.now() - began
      const times: number[] = []
      for (let index = 0; index < PAIRS; index++) {
        const at = performance.now()
        await pair(name, `pair-${index}`)
        times.push(performance.now() - at)
      }
      const changing = performance.now()
      for (let index = 0; index < RANGES; index++) await changeRanges(name, more)
      const changeMs = (performance.now() - changing) / RANGES
      const median = times.toSorted((a, b) => a - b)[PAIRS >> 1]!
      medians[name] = median
      const ratio = (median / medians['small-v4']!).toFixed(2)
      console.log(
        `${String(count).padStart(8)} of ${network.padEnd(12)} in use: ${median.toFixed(1)} ms, ${ratio} times; the very first ${firstMs.toFixed(0)} ms; a range more and less ${changeMs.toFixed(1)} ms`,
      )
    }
  } finally {
    await host?.stop()
    rmSync(data, { recursive: true, force: true })
  }
}

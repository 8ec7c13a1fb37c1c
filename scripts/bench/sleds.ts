/** Sleds in the inventory, as many as a large cloud has. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import type { Wire } from '../../packages/api/src/index.ts'
import { named } from '../../packages/control-plane/src/kernel/search/name-key.ts'
import { type BenchHost, signIn } from './host.ts'
import { median } from './median.ts'
import { serialLoad } from './requests.ts'
import { sized } from './smoke.ts'

type Values = Record<string, null | number | bigint | string>

/**
 * Adds sleds that are in service, without disks of their own, as hosts of libvirt are; the server must
 * not be running.
 */
export function seedSleds(data: string, count: number): void {
  const db = new DatabaseSync(join(data, 'steading.db'))
  const insertInto = (table: string, like: Values) => {
    const names = Object.keys(like)
    const values = names.map((name) => `:${name}`).join(', ')
    const insert = db.prepare(`insert into ${table} (${names.join(', ')}) values (${values})`)
    return (values: Values) => insert.run({ ...like, ...values })
  }
  const first = (query: string, ...values: string[]) => db.prepare(query).get(...values) as Values
  const hardware = first('select * from simulated_sled order by cubby')
  const sled = first('select * from sled where name = ?', String(hardware.serial))
  const insertHardware = insertInto('simulated_sled', hardware)
  const insertSled = insertInto('sled', sled)
  db.exec('begin')
  for (
    let index = Number(first('select count(*) as n from simulated_sled').n);
    index < count;
    index++
  ) {
    const id = randomUUID()
    const serial = `BRM-${String(index + 1).padStart(5, '0')}`
    insertHardware({ serial, cubby: index, sled_id: id })
    insertSled({ ...named(serial), id, slot: index, used_threads: 0, used_ram: 0 })
  }
  db.exec('commit')
  db.exec('analyze')
  db.close()
}

const LISTS = {
  'list of 50 sleds': '/v1/system/hardware/sleds?limit=50',
  'list of sleds of the console': '/x/v1/system/hardware/sleds?limit=50',
  'list of unused sleds': '/v1/system/hardware/sleds-uninitialized?limit=50',
  'list of racks': '/v1/system/hardware/racks',
}
const STARTS = sized(20, 2)

export interface SledFigures {
  /** Median milliseconds of each. */
  times: Record<string, number>
  /** The longest turns of the server in milliseconds: at the start, and while it was asked. */
  turns: { start: number; asked: number }
}

/** The times that operators and instances wait. */
export async function sledFigures(host: BenchHost): Promise<SledFigures> {
  const { url } = host
  const cookie = await signIn(url)
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { cookie, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as T
  }
  // The server compares its hardware with the rows of before.
  for (;;) {
    const { items } = await call<{ items: unknown[] }>('GET', LISTS['list of unused sleds'])
    if (items.length === 0) break
  }
  const start = (await host.longestTurn()).worked
  const times: Record<string, number> = {}
  for (const [name, path] of Object.entries(LISTS)) {
    times[name] = (await serialLoad(`${url}${path}`, cookie)).p50
  }
  const starts: number[] = []
  for (let index = 0; index < STARTS; index++) {
    const name = `placed-${index}`
    const began = performance.now()
    const body = { name, description: '', hostname: name, ncpus: 1, memory: 2 ** 30, start: true }
    await call('POST', '/v1/instances?project=work', body)
    for (;;) {
      const { run_state } = await call<Wire.Instance>('GET', `/v1/instances/${name}?project=work`)
      if (run_state === 'running') break
    }
    starts.push(performance.now() - began)
  }
  times['instance created and running'] = median(starts)
  return { times, turns: { start, asked: (await host.longestTurn()).worked } }
}

/** Rounds of the collection that are watched: a minute, in which all is measured twice. */
const ROUNDS = sized(12, 1)
const LOOK_MS = 250

export interface CollectionFigures {
  /** Milliseconds of the longest round, the longest turn meanwhile, and the delay of 1 % of turns. */
  round: number
  turn: number
  delay: number
}

/** The cost of a server that collects measurements. */
export async function collectionFigures({
  url,
  longestTurn,
}: Pick<BenchHost, 'url' | 'longestTurn'>): Promise<CollectionFigures> {
  const cookie = await signIn(url)
  await longestTurn()
  const rounds = new Map<string, number>()
  while (rounds.size < ROUNDS) {
    await pause(LOOK_MS)
    const answer = await fetch(`${url}/x/v1/system/health`, { headers: { cookie } })
    const { tasks } = (await answer.json()) as Wire.SystemHealth
    const last = tasks.find(({ name }) => name === 'collecting samples')?.last
    if (last) rounds.set(last.time_began, 1000 * last.seconds)
  }
  const { worked, delayed } = await longestTurn()
  return { round: Math.max(...rounds.values()), turn: worked, delay: delayed }
}

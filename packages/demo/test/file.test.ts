/** The file with the demo's cloud, opened long after it was written. */
import init, { type Database, type Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { createClient, type ApiClient } from '@steading/api/client'
import { GiB } from '@steading/api/rules'
import type { ControlPlane } from '@steading/control-plane'
import type { Database as Tables } from '@steading/control-plane/engine'
import { Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startDemo } from '../src/demo.ts'
import { DAY_MS } from '../src/file/move.ts'
import { openCloud, readFile } from '../src/file/open.ts'
import { must } from '../src/seed/cloud.ts'
import { projects } from '../src/seed/projects.ts'
import { filledCloud, present } from './support/filled.ts'
import { openPage, ORIGIN } from './support/page.ts'

const now = new Date()
const isOld = (ms: number) =>
  ms > present.getTime() - 365 * DAY_MS && ms <= present.getTime() + DAY_MS

let sqlite: Sqlite3Static
let file: Uint8Array
let controlPlane: ControlPlane
let api: ApiClient
beforeAll(async () => {
  sqlite = await init()
  file = await filledCloud(sqlite)
  controlPlane = await startDemo(openCloud(sqlite, file, { now: new Date(), origin: ORIGIN }))
  const { fetch } = await openPage(controlPlane)
  api = createClient({ baseUrl: ORIGIN, fetch })
})
afterAll(() => controlPlane.stop())

const tablesOf = (database: Database) =>
  database.selectValues(
    `select name from pragma_table_list where schema = 'main' and type = 'table'
       and name not like 'sqlite_%'`,
  ) as string[]

/** Times in a value of the file, in milliseconds, whatever their form. */
const timesIn = (value: unknown): number[] => {
  // Sizes are multiples of a GiB.
  if (typeof value === 'number') return value % GiB === 0 ? [] : [value]
  if (typeof value !== 'string') return []
  return (value.match(/\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?Z)?/g) ?? []).map((text) =>
    Date.parse(text),
  )
}

/** Columns with times of the months before the file was written. */
const columnsWithOldTimes = (database: Database): string[] =>
  tablesOf(database).flatMap((table) =>
    (database.selectValues('select name from pragma_table_info(?)', [table]) as string[])
      .filter((column) =>
        database
          .selectValues(`select "${column}" from "${table}"`)
          .some((value) => timesIn(value).some(isOld)),
      )
      .map((column) => `${table}.${column}`),
  )

describe('the file', () => {
  it('has the times of the months before it was written', () => {
    const written = readFile(sqlite, file)
    expect(columnsWithOldTimes(written).length).toBeGreaterThan(100)
    written.close()
  })

  it('has no sessions or secrets of the server, and only the tokens of its programs', () => {
    const written = readFile(sqlite, file)
    const count = (table: string) => written.selectValue(`select count(*) from ${table}`)
    expect(count('console_session')).toBe(0)
    // Only their digests are stored.
    expect(written.selectValues('select name from access_token order by name')).toEqual([
      'builds',
      'dashboard',
      'terraform',
    ])
    const others = "select key from setting where key not like 'engine.%' order by key"
    expect(written.selectValues(others)).toEqual([
      'bootstrapped',
      'clock_mark',
      'engine',
      'notification_sequence',
      'price_list',
      'usage_recorded_since',
    ])
    written.close()
  })

  it('is refused if it is no database', () => {
    const garbage = new Uint8Array(file.length).fill(7)
    expect(() => openCloud(sqlite, garbage, { now, origin: ORIGIN })).toThrow(/not a database/)
  })
})

describe('the opened cloud', () => {
  it('has none of the times in the file', async () => {
    const { db } = controlPlane.database
    const rowsOf = async (text: string) =>
      (await sql.raw<Record<string, unknown>>(text).execute(db)).rows
    const tables = await rowsOf(
      `select name from pragma_table_list where schema = 'main' and type = 'table'
         and name not like 'sqlite_%'`,
    )
    const old: string[] = []
    for (const { name } of tables) {
      for (const row of await rowsOf(`select * from "${name as string}"`)) {
        for (const [column, value] of Object.entries(row)) {
          if (timesIn(value).some(isOld)) old.push(`${name as string}.${column}: ${String(value)}`)
        }
      }
    }
    expect(old).toEqual([])
  })

  it('has things of the same age as in the seed', async () => {
    const { items } = must(await api.projectList())
    for (const { name, daysAgo } of projects) {
      const { timeCreated } = items.find((project) => project.name === name)!
      const age = (Date.now() - timeCreated.getTime()) / DAY_MS
      expect(age).toBeGreaterThan(daysAgo - 0.3)
      expect(age).toBeLessThan(daysAgo + 0.1)
    }
  })

  it('has charts that end now', async () => {
    const { items } = must(await api.instanceList({ query: { project: 'storefront' } }))
    const { id } = items.find(({ name }) => name === 'orders-db')!
    const query = `get virtual_machine:vcpu_usage | filter instance_id == "${id}" && state == "run" && vcpu_id == 0 && timestamp > @now()-1m`
    const { tables } = must(
      await api.timeseriesQuery({ query: { project: 'storefront' }, body: { query } }),
    )
    const { timestamps } = tables[0]!.timeseries[0]!.points
    expect(timestamps.length).toBeGreaterThanOrEqual(11)
  })

  it('has forecasts of usage that ends today', async () => {
    const { items } = must(await api.systemForecast({}))
    for (const { forecast } of items) expect(forecast.history).toHaveLength(31)
  })

  it('has transitions that end soon', async () => {
    const { database } = openCloud(sqlite, file, { now, origin: ORIGIN })
    const rows = await new Kysely<Tables>({ dialect: database.kysely })
      .selectFrom('instance')
      .select(['run_state', 'reconcile_at'])
      .where('run_state', 'in', ['starting', 'stopping', 'rebooting', 'creating'])
      .execute()
    expect(rows).toHaveLength(4)
    for (const { reconcile_at } of rows) {
      const seconds = (Date.parse(reconcile_at!) - now.getTime()) / 1000
      expect(seconds).toBeGreaterThanOrEqual(20)
      expect(seconds).toBeLessThanOrEqual(45)
    }
  })

  it('has the identity provider of its own site', async () => {
    const { acsUrl } = must(
      await api.samlIdentityProviderView({
        path: { provider: 'town-hall' },
        query: { silo: 'city-archive' },
      }),
    )
    expect(acsUrl).toBe(`${ORIGIN}/login/city-archive/saml/town-hall`)
  })

  it('has signed documents as they were signed', async () => {
    const { items: roots } = must(await api.systemUpdateTrustRootList({}))
    expect(JSON.stringify(roots[0]!.rootRole)).toContain('"expires":"2046-01-01T00:00:00Z"')
  })

  it('has the bytes of its volumes', async () => {
    const { volumes } = controlPlane.engines
    const ids = await volumes.withBytes('', 10)
    expect(ids).toHaveLength(2)
    for (const id of ids) {
      // The releases are zip archives.
      expect(new TextDecoder().decode(await volumes.read(id, 0, 2))).toBe('PK')
    }
  })
})

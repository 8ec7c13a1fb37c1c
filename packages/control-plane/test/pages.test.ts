/** Rows of large tables are read in pages. */
import { Kysely, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openSqlite } from '../../node/src/sqlite.ts'
import { allInPages, inPages } from '../src/kernel/db/pages.ts'
import { perTurn } from './support/per-turn.ts'

interface Tables {
  grain: { id: string; weight: number; silo: string | null }
}

/** A table with rows in no order, every third of which is in no silo. */
async function withRows(count: number) {
  let queries = 0
  const db = new Kysely<Tables>({
    dialect: openSqlite(':memory:').kysely,
    log: () => void queries++,
  })
  onTestFinished(() => db.destroy())
  await sql`create table grain (id text primary key, weight integer, silo text unique)`.execute(db)
  await sql`
    insert into grain with recursive number(n) as (
      select 1 where ${count} > 0 union all select n + 1 from number where n < ${count}
    )
    select printf('%05d', ${count} - n), n, iif(n % 3 = 0, null, printf('silo-%05d', n))
    from number`.execute(db)
  queries = 0
  return { db, queries: () => queries }
}

const ids = (count: number) =>
  Array.from({ length: count }, (_, index) => String(index).padStart(5, '0'))

test.for([0, 1, 999, 1_000, 1_001, 5_000])('all of %i rows are read, by pages', async (count) => {
  const { db, queries } = await withRows(count)
  const read = perTurn()
  const found: string[] = []
  for await (const rows of inPages(db.selectFrom('grain').selectAll(), 'id')) {
    for (const { id } of rows) {
      read.note(id)
      found.push(id)
    }
  }
  expect(found).toEqual(ids(count))
  expect(await read.most()).toBeLessThanOrEqual(2_000)
  expect(queries()).toBe(Math.floor(count / 1_000) + 1)
})

test('pages keep the conditions of a query, and leave out rows without the column', async () => {
  const { db } = await withRows(3_000)
  const heavy = db.selectFrom('grain').select(['silo', 'weight']).where('weight', '>', 1_500)
  const found = await allInPages(heavy, 'silo')
  expect(found).toHaveLength(1_000)
  expect(found.every(({ silo, weight }) => silo !== null && weight > 1_500)).toBe(true)
  const sizes: number[] = []
  for await (const rows of inPages(heavy, 'silo', 300)) sizes.push(rows.length)
  expect(sizes).toEqual([300, 300, 300, 100])
})

/**
 * Limits of SQLite statements; a limit that is a parameter causes the statement to be prepared
 * again each time.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSqlite } from '../../node/src/sqlite.ts'
import type { OpenDatabase } from '../src/kernel/db/database.ts'
import { openDatabase } from '../src/open-database.ts'

let database: OpenDatabase
beforeAll(async () => {
  database = await openDatabase(openSqlite(':memory:'))
})
afterAll(() => database.close())

test('writes the limit into the statement, and leaves other values as parameters', async () => {
  const { db } = database
  const built = db.selectFrom('silo').select('id').where('name', '=', 'limit 3').limit(7)
  expect(built.compile()).toMatchObject({
    sql: 'select "id" from "silo" where "name" = ? limit 7',
    parameters: ['limit 3'],
  })
  const written = sql`select id from silo where name = ${'limit '} limit ${7}`
  expect(written.compile(db)).toMatchObject({
    sql: 'select id from silo where name = ? limit 7',
    parameters: ['limit '],
  })
})

test('writes only whole numbers into a statement', async () => {
  const { db } = database
  for (const limit of ['1; drop table silo', 1.5, Number.NaN]) {
    const { sql: text, parameters } = sql`select id from silo limit ${limit}`.compile(db)
    expect(text).toBe('select id from silo limit ?')
    expect(parameters).toEqual([limit])
  }
  const limited = sql`select id from silo limit ${sql`(select ${2})`}`.compile(db)
  expect(limited).toMatchObject({ sql: 'select id from silo limit (select ?)', parameters: [2] })
})

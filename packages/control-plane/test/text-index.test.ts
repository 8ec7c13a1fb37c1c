/** The trigram index when the rows of its table are renumbered. */
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { openSqlite } from '../../node/src/sqlite.ts'
import { openDatabase } from '../src/open-database.ts'
import { projectRow, storeRows } from './support/many.ts'

/** A file with three projects, of which the first was removed. */
async function filled(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'steading-test-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const file = join(directory, 'steading.db')
  const database = await openDatabase(openSqlite(file))
  const rows = ['alder', 'birch', 'cedar'].map((name) => projectRow('silo', name))
  await storeRows(database.db, 'project', rows)
  await database.db.deleteFrom('project').where('name', '=', 'alder').execute()
  await database.close()
  return file
}

function found(database: DatabaseSync, trigram: string): unknown[] {
  return database
    .prepare(
      `select name from project where rowid in
         (select rowid from project_text where project_text match ?)`,
    )
    .all(`"${trigram}"`)
    .map((row) => row.name)
}

/** Opens the database with our program, which migrates it, then with SQLite alone. */
async function reopened(file: string): Promise<DatabaseSync> {
  await (await openDatabase(openSqlite(file))).close()
  const database = new DatabaseSync(file)
  onTestFinished(() => database.close())
  return database
}

const alone = (file: string, statements: string) => {
  const database = new DatabaseSync(file)
  database.exec(statements)
  database.close()
}

test.each([
  ['was compacted', 'vacuum'],
  ['has no index', 'drop table project_text'],
  ['was written without the index', `drop trigger project_text_insert_STAMP`],
])('a database that %s finds its rows after the next start', async (_, statement) => {
  const file = await filled()
  const before = new DatabaseSync(file)
  const [trigger] = before
    .prepare(`select name from sqlite_master where name like 'project_text_insert%'`)
    .all()
  before.close()
  alone(file, statement.replace('project_text_insert_STAMP', String(trigger!.name)))
  const database = await reopened(file)
  expect(found(database, 'bir')).toEqual(['birch'])
  expect(found(database, 'ced')).toEqual(['cedar'])
  expect(found(database, 'ald')).toEqual([])
})

/** A database that is open already when a start fails is closed. */
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { simulatedEngine } from '@steading/simulator'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openSqlite } from '../../node/src/sqlite.ts'
import { memoryBlockStore } from '../src/engines/volumes/memory.ts'
import { openDatabase } from '../src/open-database.ts'
import { addMigratedSqlite } from './support/migrated.ts'

const isOpen = (path: string): boolean =>
  readdirSync('/proc/self/fd').some((descriptor) => {
    try {
      return readlinkSync(join('/proc/self/fd', descriptor)) === path
    } catch {
      return false
    }
  })

test('if the claim of its ports fails', async () => {
  const data = mkdtempSync(join(tmpdir(), 'steading-failed-start-'))
  onTestFinished(() => rmSync(data, { recursive: true }))
  await addMigratedSqlite(data)
  const path = join(data, 'steading.db')
  const open = () => openDatabase(openSqlite(path), simulatedEngine(memoryBlockStore()))
  const database = await open()
  await sql`delete from setting where key like 'engine%'`.execute(database.db)
  await sql`create trigger refusing before insert on setting
    begin select raise(abort, 'it is refused'); end`.execute(database.db)
  expect(isOpen(path)).toBe(true)
  await database.close()
  expect(isOpen(path)).toBe(false)
  await expect(open()).rejects.toThrow('it is refused')
  expect(isOpen(path)).toBe(false)
})

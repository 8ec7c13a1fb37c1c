import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openPostgres } from '../../../node/src/postgres.ts'
import { openSqlite } from '../../../node/src/sqlite.ts'
import { createDatabase } from '../../../node/test/support/database.ts'
import { openMigrated, schemaText } from '../support/schema.ts'

test('the schema that is checked in is that of the migrations', async () => {
  const dialect = inject('dialect')
  const empty =
    dialect === 'sqlite' ? openSqlite(':memory:') : await openPostgres(await createDatabase())
  const { db, close } = await openMigrated(empty)
  onTestFinished(close)
  // `npm run generate` writes it.
  const file = join(import.meta.dirname, `../../schema/${dialect}.sql`)
  expect(await schemaText(db, dialect)).toBe(readFileSync(file, 'utf8'))
})

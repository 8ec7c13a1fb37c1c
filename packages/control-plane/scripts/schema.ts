/**
 * `npm run generate`: the files of `schema`, from empty databases that are migrated. Without a
 * PostgreSQL server to start, its file stays as it is, and the tests that have one compare it.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgres } from '../../node/src/postgres.ts'
import { openSqlite } from '../../node/src/sqlite.ts'
import type { DatabaseHost } from '../src/kernel/db/database.ts'
import { postgresMissing, startPostgres } from '../test/support/postgres.ts'
import { openMigrated, schemaText } from '../test/support/schema.ts'

async function write(host: DatabaseHost): Promise<void> {
  const { dialect } = host
  const { db, close } = await openMigrated(host)
  const text = await schemaText(db, dialect)
  await close()
  await writeFile(join(import.meta.dirname, `../schema/${dialect}.sql`), text)
}

await write(openSqlite(':memory:'))
const missing = postgresMissing()
if (missing) {
  console.warn(`The schema of PostgreSQL is left as it is: ${missing}.`)
} else {
  const home = await mkdtemp(join(tmpdir(), 'steading-schema-'))
  try {
    const postgres = await startPostgres(home)
    await write(await openPostgres(postgres.url)).finally(() => postgres.stop())
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

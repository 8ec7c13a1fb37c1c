import { type DatabaseHost, type OpenDatabase, openDatabase as open } from './kernel/db/database.ts'
import { simulatedMigrations } from './engines/simulated/migration.ts'
import { adoptEvents } from './kernel/events/outbox.ts'
import { ensureTextIndexes } from './kernel/text-index.ts'
import { unmeasured } from './kernel/measures.ts'
import { migrations } from './migrations/index.ts'
import { resourceMigrations } from './resources/index.ts'

/**
 * Opens a database and brings the tables of all resources up to date, under a lock.
 * @throws NewerSchemaError
 */
export async function openDatabase(
  host: DatabaseHost,
  measures = unmeasured,
): Promise<OpenDatabase> {
  const known = {
    ...migrations(host.dialect),
    ...resourceMigrations(host.dialect),
    ...simulatedMigrations(host.dialect),
  }
  const database = await open(host, known, measures)
  if (host.dialect === 'postgres') await adoptEvents(database.db)
  return { ...database, findsText: await ensureTextIndexes(database) }
}

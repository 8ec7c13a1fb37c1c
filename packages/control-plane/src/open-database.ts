import { type DatabaseHost, type OpenDatabase, openDatabase as open } from './kernel/db/database.ts'
import { compose } from './kernel/compose.ts'
import { migrationsOf } from './kernel/engine.ts'
import { claimForEngine, refuseOtherEngine } from './kernel/db/engine-claim.ts'
import { adoptEvents } from './kernel/events/outbox.ts'
import { ensureTrigramIndexes } from './kernel/trigram-index.ts'
import { noInstrumentation } from './kernel/instrumentation.ts'
import type { Engine } from './kernel/ports/engines.ts'
import { migrations } from './migrations/index.ts'
import { declarations } from './resources/index.ts'
import { ensureUsageRecording } from './resources/tenancy/usage/recording.ts'

/** Closes a database if work of its opening fails: nobody else has it yet. */
export async function orClosed<T>(
  { close }: Pick<OpenDatabase, 'close'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * Opens a database and brings the tables of all resources and of the engine's parts up to date, under
 * a lock.
 * @param engine the engine with tables in the database; without one there are none of any engine
 * @throws NewerSchemaError
 * @throws OlderSchemaError
 * @throws OtherEngineError
 */
export async function openDatabase(
  host: DatabaseHost,
  engine?: Pick<Engine, 'parts'>,
  measures = noInstrumentation,
): Promise<OpenDatabase> {
  compose(declarations)
  if (engine) await refuseOtherEngine(host, engine)
  const lists = [migrations, ...(engine ? migrationsOf(engine) : [])]
  const database = await open(host, lists, measures)
  return orClosed(database, async () => {
    if (engine) await claimForEngine(database, engine)
    if (host.dialect === 'postgres') await adoptEvents(database.db)
    await ensureUsageRecording(database)
    return { ...database, findsText: await ensureTrigramIndexes(database) }
  })
}

import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { memoryBlockStore } from '@steading/control-plane'
import { Kysely } from 'kysely'
import { composeDemo } from '../demo.ts'
import { openSqlite } from '../host/sqlite.ts'
import { ORIGIN } from '../file/move.ts'
import { writeParts } from '../file/write.ts'
import { createDemoClock } from './clock.ts'
import { interruptAll } from './compute.ts'
import { seed } from './seed.ts'

/** Small pages, because most tables and indexes have few rows. */
const PAGE_BYTES = 1024

const AT_ONCE = { bootMs: 0, stopMs: 0, rebootMs: 0 }

/**
 * Fills the demo's cloud through the API, when the demo is built.
 * @returns the file that `openCloud` opens
 */
export async function fillCloud(
  sqlite: Sqlite3Static,
  present: Date = new Date(),
): Promise<Uint8Array<ArrayBuffer>> {
  const database = new sqlite.oo1.DB(':memory:')
  database.exec(`pragma page_size = ${PAGE_BYTES}`)
  const clock = createDemoClock(present)
  const blocks = memoryBlockStore()
  const controlPlane = await composeDemo({
    database: openSqlite(sqlite, database),
    blocks,
    clock: clock.now,
    durations: AT_ONCE,
  })
  await seed(controlPlane, clock, ORIGIN)
  // Otherwise each start of the demo would begin with this.
  await controlPlane.tidy()
  await controlPlane.stop()
  await interruptAll({ db: new Kysely({ dialect: openSqlite(sqlite, database).kysely }), present })
  writeParts(database, { present, contents: blocks.contents() })
  database.exec('vacuum')
  const file = sqlite.capi.sqlite3_js_db_export(database)
  database.close()
  return file
}

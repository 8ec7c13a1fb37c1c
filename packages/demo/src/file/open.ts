import type { Database, Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { memoryBlockStore, type VolumeContents } from '@steading/control-plane'
import type { Cloud } from '../demo.ts'
import { openSqlite } from '../host/sqlite.ts'
import { createMove, MOVED, type Place } from './move.ts'

/** KiB of pages that SQLite keeps: more than the whole file. */
const CACHE_KIB = 32 * 1024

/** A database in memory with the contents of a file. */
export function readFile({ oo1, capi, wasm }: Sqlite3Static, file: Uint8Array): Database {
  const database = new oo1.DB(':memory:')
  const copy = wasm.allocFromTypedArray(file)
  const { SQLITE_DESERIALIZE_FREEONCLOSE, SQLITE_DESERIALIZE_RESIZEABLE } = capi
  database.checkRc(
    capi.sqlite3_deserialize(
      database,
      'main',
      copy,
      file.length,
      file.length,
      SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE,
    ),
  )
  database.exec(`pragma cache_size = -${CACHE_KIB}`)
  return database
}

function contentsOf(database: Database, volumes: string): VolumeContents[] {
  const found = (JSON.parse(volumes) as Pick<VolumeContents, 'id' | 'written'>[]).map((volume) => ({
    ...volume,
    blocks: [] as VolumeContents['blocks'],
  }))
  const byId = new Map(found.map((volume) => [volume.id, volume]))
  const rows = database.selectArrays('select volume, number, bytes from file_block')
  for (const [id, number, bytes] of rows as [string, number, Uint8Array][]) {
    byId.get(id)!.blocks.push([number, bytes])
  }
  return found
}

/**
 * Opens a file of `fillCloud` at a time and place: everything in it has the age that it had when
 * the file was written.
 */
export function openCloud(sqlite: Sqlite3Static, file: Uint8Array, place: Place): Cloud {
  const database = readFile(sqlite, file)
  const { present, moves, volumes } = database.selectObject('select * from file_head') as Record<
    'present' | 'moves' | 'volumes',
    string
  >
  const blocks = memoryBlockStore(contentsOf(database, volumes))
  const move = createMove(new Date(present), place)
  database.createFunction(MOVED, (_context, value) => move(value), { deterministic: true })
  database.transaction(() => {
    for (const statement of JSON.parse(moves) as string[]) database.exec(statement)
    database.exec('drop table file_block; drop table file_head')
  })
  return { database: openSqlite(sqlite, database), blocks }
}

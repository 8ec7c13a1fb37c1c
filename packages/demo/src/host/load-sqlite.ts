import init, { type Sqlite3Static } from '@sqlite.org/sqlite-wasm'

/** Modules for storing a database in the browser; the demo keeps it in memory. */
const unused = { kvvfs: true, opfs: true, 'opfs-vfs': true, 'opfs-sahpool': true, 'opfs-wl': true }

/** Fetches and compiles SQLite. */
export function loadSqlite(): Promise<Sqlite3Static> {
  Object.assign(globalThis, { sqlite3ApiConfig: { disable: { vfs: unused } } })
  return init()
}

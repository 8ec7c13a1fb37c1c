/** SQLite's checks of a whole database file, which take as long as reading it. */
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { errorMessage } from '@steading/files'
import { workerUrl } from './installation.ts'

/** Maximum number of findings. */
const MAX_FINDINGS = 10

/** SQLite's heading of the findings of a database. */
const HEADING = '*** in database main ***'

function checkTable(database: DatabaseSync, table: string): string[] {
  try {
    const rows = database.prepare(`pragma quick_check("${table}")`).all()
    const findings = rows.flatMap((row) => String(row.quick_check).split('\n'))
    return findings.filter((finding) => !['ok', '', HEADING].includes(finding))
  } catch (error) {
    return [errorMessage(error)]
  }
}

/**
 * Checks the pages, rows and constraints of all tables in a database file, but not the consistency
 * of their indexes (`pragma quick_check`). Table by table, because SQLite gives up at the full-text
 * index of a damaged one.
 * @returns the damage: the name of the table, and SQLite's message; empty if there is none
 */
export function quickCheck(path: string): string[] {
  try {
    const database = new DatabaseSync(path, { readOnly: true })
    try {
      const tables = database
        .prepare("select name from sqlite_schema where type = 'table' and rootpage > 0")
        .all()
      return tables
        .flatMap(({ name }) =>
          checkTable(database, String(name)).map((finding) => `table ${name}: ${finding}`),
        )
        .slice(0, MAX_FINDINGS)
    } finally {
      database.close()
    }
  } catch (error) {
    return [errorMessage(error)]
  }
}

/** Like `quickCheck`, in a separate thread that blocks nothing. */
export async function quickCheckAside(path: string, signal: AbortSignal): Promise<string[]> {
  const worker = new Worker(workerUrl('sqlite-check-worker'), {
    workerData: path,
    // Node's output in the thread would bypass the log.
    stdout: true,
    stderr: true,
  })
  const end = () => void worker.terminate()
  signal.addEventListener('abort', end)
  try {
    return await new Promise((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.once('exit', () => reject(new Error('the check of the database was ended')))
    })
  } finally {
    signal.removeEventListener('abort', end)
  }
}

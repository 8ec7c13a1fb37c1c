/** A database of the engine alone, for one test. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { OpenDatabase } from '../../../control-plane/src/kernel/db/database.ts'
import { openTestDatabase } from './bytes.ts'

export async function openEngineDatabase(): Promise<{ data: string; database: OpenDatabase }> {
  const data = mkdtempSync(join(tmpdir(), 'steading-engine-'))
  const database = await openTestDatabase(data)
  onTestFinished(async () => {
    await database.close()
    rmSync(data, { recursive: true })
  })
  return { data, database }
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { onTestFinished } from 'vitest'
import { startPostgres } from '../../../control-plane/test/support/postgres.ts'

/**
 * A PostgreSQL of the test alone, whose commits wait for the disk.
 * @param variables of its environment
 */
export async function ownDatabase(variables: Record<string, string> = {}) {
  const home = mkdtempSync(join(tmpdir(), 'steading-database-'))
  const postgres = await startPostgres(home, { durable: true, variables })
  onTestFinished(async () => {
    await postgres.stop()
    rmSync(home, { recursive: true, force: true })
  })
  const ask = async (sql: string): Promise<Record<string, unknown>[]> => {
    const client = new Client({ connectionString: postgres.url })
    await client.connect()
    try {
      return (await client.query(sql)).rows
    } finally {
      await client.end()
    }
  }
  return { postgres, ask }
}

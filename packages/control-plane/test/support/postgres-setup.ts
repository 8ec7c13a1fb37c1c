/** Vitest's global setup of the variants on PostgreSQL: a server for the run of the tests. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { migratePostgres, MIGRATED } from './migrated.ts'
import { postgresMissing, startPostgres } from './postgres.ts'
import { shareSetup } from './shared-setup.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of a server on which every test file makes its own database. */
    postgresUrl: string
  }
}

async function addMigrated(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(`create database ${MIGRATED}`)
  await client.end()
  const migrated = new URL(url)
  migrated.pathname = MIGRATED
  await migratePostgres(migrated.href)
}

async function startMigrated() {
  const home = await mkdtemp(join(tmpdir(), 'steading-postgres-'))
  const clean = () => rm(home, { recursive: true, force: true })
  try {
    const { url, stop } = await startPostgres(home)
    await addMigrated(url)
    return { value: url, end: () => stop().then(clean) }
  } catch (error) {
    await clean()
    throw error
  }
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const missing = postgresMissing()
  if (missing) throw new Error(`no PostgreSQL to test against: ${missing}`)
  const { value, leave } = await shareSetup('postgres', startMigrated)
  provide('postgresUrl', value)
  return leave
}

import { Client } from 'pg'
import { inject } from 'vitest'

/**
 * Creates a PostgreSQL database, empty or a copy of another one.
 * @returns its URL
 */
export async function createDatabase(template = 'template1'): Promise<string> {
  const url = new URL(inject('postgresUrl'))
  const name = `servers_${crypto.randomUUID().replaceAll('-', '')}`
  const client = new Client({ connectionString: url.href })
  await client.connect()
  await client.query(`create database ${name} template ${template} strategy file_copy`)
  await client.end()
  url.pathname = name
  return url.href
}

import { Client } from 'pg'
import { inject } from 'vitest'

/** Makes an empty PostgreSQL database. @returns its URL */
export async function createDatabase(): Promise<string> {
  const url = new URL(inject('postgresUrl'))
  const name = `servers_${crypto.randomUUID().replaceAll('-', '')}`
  const client = new Client({ connectionString: url.href })
  await client.connect()
  await client.query(`create database ${name} strategy file_copy`)
  await client.end()
  url.pathname = name
  return url.href
}

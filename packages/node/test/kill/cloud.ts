/**
 * Common state of the servers in a kill test: a data directory, a database, and the servers
 * themselves.
 */
import { Client } from 'pg'
import { onTestFinished } from 'vitest'
import type { Center } from '../../../libvirt/test/support/hosts-in-namespaces.ts'
import { MIGRATED } from '../../../control-plane/test/support/migrated.ts'
import { createDatabase } from '../support/database.ts'
import { migratedDirectory, signIn, temporaryDirectory } from '../support/process.ts'
import type { ServerClock } from '../support/server-clocks.ts'
import { type HostProcess, startHost } from './host-process.ts'
import { type Ask, askEmbedded } from './leaks.ts'
import { type Api, client } from './workload.ts'

export interface Cloud {
  data: string
  /** Undefined for the embedded database. */
  databaseUrl?: string
  ask: Ask
}

/**
 * A cloud on the embedded database with one server.
 * @param data of the simulated engine by default
 */
export function embeddedCloud(data = migratedDirectory()): Cloud {
  return { data, ask: askEmbedded(data) }
}

/**
 * A cloud on PostgreSQL with any number of servers.
 * @param template of its database: that of the simulated engine by default
 */
export async function sharedCloud(
  template: string | undefined = MIGRATED,
): Promise<Cloud & { databaseUrl: string }> {
  const databaseUrl = await createDatabase(template)
  const database = new Client({ connectionString: databaseUrl })
  await database.connect()
  onTestFinished(() => database.end())
  return {
    data: temporaryDirectory(),
    databaseUrl,
    ask: async (sql) => (await database.query(sql)).rows,
  }
}

export interface Servers {
  hosts: readonly HostProcess[]
  /** The cookie of an operator. */
  cookie: string
  /** Calls one of the servers; indexes wrap around. */
  api: (index: number) => Api
  kill: (index: number) => Promise<void>
  /** Restarts a killed server. */
  restart: (index: number) => Promise<void>
}

/**
 * Starts servers and creates the project `work`.
 * @param center the machine that they run on, if that is not this one
 * @param clocks of the servers; further ones show that of this machine
 */
export async function startServers(
  { data, databaseUrl }: Cloud,
  count: number,
  env: Record<string, string> = {},
  center?: Center,
  clocks: readonly ServerClock[] = [],
): Promise<Servers> {
  const start = (index: number) =>
    startHost(data, databaseUrl, { ...env, ...clocks[index]?.variables }, center)
  const hosts: HostProcess[] = []
  for (let n = 0; n < count; n++) hosts.push(await start(n))
  const cookie = await signIn(hosts[0]!.url)
  const api = (index: number) => client(hosts[index % count]!.url, cookie)
  await api(0)('POST', '/v1/projects', { name: 'work', description: '' })
  return {
    hosts,
    cookie,
    api,
    kill: (index) => hosts[index]!.kill(),
    async restart(index) {
      hosts[index] = await start(index)
    },
  }
}

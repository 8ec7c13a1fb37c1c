import { PASSWORD_MIN } from '@steading/api/rules'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type ApiClient } from '@steading/api/client'
import { addMigratedSqlite } from '../../packages/control-plane/test/support/migrated.ts'
import { defaultConfig, type ServerConfig } from '../../packages/node/src/config.ts'
import type { Engine } from '@steading/control-plane/ports'
import type { SimulatedEngines } from '@steading/simulator'
import { startServer, type Server } from '../../packages/node/src/server.ts'
import { consoleSite } from '../../packages/node/test/support/console-site.ts'
import { ok } from './seed.ts'

export const ADMIN_PASSWORD = 'correct horse battery staple'

/** Durations that let a user, and a test, see each state. */
export const BOOT_MS = 600

/** A control plane with its console, for one test. */
export interface Host {
  url: string
  server: Server<SimulatedEngines>
  data: string
  close: () => Promise<void>
  /** The same host restarted with another configuration; this one is closed. */
  restarted: (config: Partial<ServerConfig>) => Promise<Host>
}

/** @param openEngine another engine than the configured one */
export async function startHost(
  config: Partial<ServerConfig> = {},
  openEngine?: (config: ServerConfig) => Promise<Engine>,
): Promise<Host> {
  const data = await mkdtemp(join(tmpdir(), 'steading-e2e-'))
  const whole: ServerConfig = {
    ...defaultConfig(),
    engine: 'simulated',
    port: 0,
    data,
    adminPassword: ADMIN_PASSWORD,
    volatile: true,
    bootMs: BOOT_MS,
    collects: false,
    passwordCost: { memoryKiB: 8, passes: 1 },
    passwordMin: PASSWORD_MIN,
    ...config,
  }
  // The directory of a test may already contain a database.
  if (whole.data === data && whole.engine === 'simulated') await addMigratedSqlite(data)
  const start = async (values: ServerConfig): Promise<Host> => {
    const parts = { openEngine, site: consoleSite() }
    const started = await startServer(values, undefined, undefined, parts)
    const server = started as Server<SimulatedEngines>
    return {
      url: server.url,
      server,
      data,
      async close() {
        await server.close()
        await rm(data, { recursive: true, force: true })
      },
      async restarted(changes) {
        await server.close()
        return start({ ...values, ...changes })
      },
    }
  }
  return start(whole)
}

/**
 * Signs in over the API.
 * @returns the value of the session cookie
 */
export async function signIn(
  url: string,
  username = 'admin',
  password = ADMIN_PASSWORD,
): Promise<string> {
  const response = await fetch(`${url}/v1/login/main/local`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  const cookie = /session=([^;]+)/.exec(response.headers.get('set-cookie') ?? '')?.[1]
  if (!cookie) throw new Error(`signing in failed: ${response.status} ${await response.text()}`)
  return cookie
}

/**
 * Adds a user without any role to the first silo, which the API permits only to identity providers
 * and operators.
 * @returns a session
 */
export async function addUser({ url, server }: Host, username: string): Promise<string> {
  const { db } = server.controlPlane.database
  const admin = await db.selectFrom('silo_user').selectAll().executeTakeFirstOrThrow()
  const user = { ...admin, id: randomUUID(), external_id: username, display_name: username }
  await db.insertInto('silo_user').values(user).execute()
  return signIn(url, username)
}

/** Creates a user who may read the silo, and signs them in. */
export async function addViewer(host: Host, api: ApiClient): Promise<string> {
  const session = await addUser(host, 'miller')
  const { id } = await ok(clientOf(host.url, session).currentUserView({}))
  const { roleAssignments } = await ok(api.policyView({}))
  const viewer = { identityType: 'silo_user', identityId: id, roleName: 'viewer' } as const
  await ok(api.policyUpdate({ body: { roleAssignments: [...roleAssignments, viewer] } }))
  return session
}

/** A client with a session, as in a second browser. */
export const clientOf = (url: string, session: string): ApiClient =>
  createClient({ baseUrl: url, session })

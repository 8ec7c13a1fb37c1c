/**
 * The product as tests see it: the Node host in this process, on a free port, over a database on
 * disk. The same tests run on SQLite and on PostgreSQL; the variant provides `dialect`.
 */
import type { Wire } from '@steading/api'
import type { Engine } from '@steading/control-plane/ports'
import { FLEET_ID, type FleetRole, type SiloRole } from '@steading/api/rules'
import type { SimulatedEngines } from '@steading/simulator'
import type { Selectable } from 'kysely'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { inject } from 'vitest'
import { type Server, startServer } from '../../../node/src/server.ts'
import { defaultConfig, type ServerConfig } from '../../../node/src/config.ts'
import { consoleSite } from '../../../node/test/support/console-site.ts'
import { createSession } from '../../src/resources/identity/sessions/sessions.ts'
import type { Db } from '../../src/kernel/db/database.ts'
import type { ImageTable } from '../../src/resources/storage/images/table.ts'
import type { SnapshotTable } from '../../src/resources/storage/snapshots/kind.ts'
import { named } from '../../src/kernel/search/name-key.ts'
import { linkUser, providersOf } from '../../src/resources/identity/user-identities/identities.ts'
import { Caller, callInProcess, overHttp } from './caller.ts'
import { refuseEmptyLists } from './portable-sql.ts'
import { addMigratedSqlite, MIGRATED } from './migrated.ts'
import { unclaimed } from '../../src/kernel/db/leases.ts'

refuseEmptyLists()

declare module 'vitest' {
  interface ProvidedContext {
    dialect: 'sqlite' | 'postgres'
    /** Number of servers that take the calls of a test in turn. */
    servers: number
  }
}

export const ADMIN_PASSWORD = 'correct horse battery staple'
/** Cheap on purpose: tests do not measure the cost of guessing. */
const passwordCost = { memoryKiB: 8, passes: 1 }

type SnapshotRow = Selectable<SnapshotTable>
type ImageRow = Selectable<ImageTable>

/** The roles of a user, for `createUser`. */
export interface Grants {
  fleet?: FleetRole
  silo?: SiloRole
  /** Project id → role on it. */
  projects?: Record<string, SiloRole>
}

export interface User {
  id: string
  name: string
  caller: Caller
}

export interface TestServer {
  url: string
  host: Server<SimulatedEngines>
  db: Db
  /** The database for other processes; on PostgreSQL. */
  databaseUrl: string | undefined
  /** Data directory, shared by servers on one database. */
  data: string
  /** Fleet and silo admin of `main`, signed in. */
  admin: Caller
  anonymous: Caller
  /** Id of silo `main`. */
  siloId: string
  createSilo: (name: string, values?: Partial<Wire.Silo>) => Promise<string>
  /** A signed-in user without a password, of `main` by default. */
  createUser: (name: string, grants?: Grants, siloId?: string) => Promise<User>
  /**
   * A snapshot inserted directly into the database: without bytes, and without a charge to the
   * quota.
   */
  createSnapshot: (name: string, projectId: string, diskId?: string) => Promise<SnapshotRow>
  /** An image of a project, or without one of a silo. */
  createImage: (name: string, projectId: string | null, siloId?: string) => Promise<ImageRow>
  createGroup: (name: string, members: string[], siloId?: string) => Promise<string>
  /** Gives a user or group one more role. */
  grant: (
    identity: { id: string; type?: Wire.IdentityType },
    resource: 'fleet' | 'silo' | 'project',
    resourceId: string,
    role: SiloRole,
  ) => Promise<void>
  signInAs: (userId: string) => Promise<Caller>
  close: () => Promise<void>
  /** Removes the data directory after a test that closed only `host`. */
  drop: () => void
}

/** A migrated database for one server, and a function to call when it is no longer needed. */
export async function ownDatabase(): Promise<
  Pick<ServerConfig, 'data' | 'databaseUrl'> & { drop: () => void }
> {
  const data = mkdtempSync(join(tmpdir(), 'steading-test-'))
  const drop = () => rmSync(data, { recursive: true, force: true })
  if (inject('dialect') === 'sqlite') {
    await addMigratedSqlite(data)
    return { data, drop }
  }
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`
  const url = new URL(inject('postgresUrl'))
  const client = new Client({ connectionString: url.href })
  await client.connect()
  // Without the write-ahead log this takes a fraction of the time.
  await client.query(`create database ${name} template ${MIGRATED} strategy file_copy`)
  await client.end()
  url.pathname = name
  return { data, databaseUrl: url.href, drop }
}

const CENTURY_MS = 36_500 * 86_400_000

/**
 * Starts a server on its own database, or on that of another server if the settings name its data
 * directory. Tests of one file share it.
 * @param openEngine another engine than the configured one
 */
export async function startTestServer(
  settings: Partial<ServerConfig> = {},
  openEngine?: (config: ServerConfig) => Promise<Engine>,
): Promise<TestServer> {
  const { data } = settings
  const { drop, ...database } = data === undefined ? await ownDatabase() : { data, drop: () => {} }
  const config: ServerConfig = {
    ...defaultConfig(),
    port: 0,
    engine: 'simulated',
    ...database,
    adminPassword: ADMIN_PASSWORD,
    volatile: true,
    collects: false,
    cpuOvercommit: 1,
    keepFree: 0,
    // Tests may store samples of any time.
    metricsRawMs: CENTURY_MS,
    metricsKeepMs: CENTURY_MS,
    bootMs: 0,
    sessionIdleMs: 3_600_000,
    autoRestartCooldownMs: 0,
    passwordCost,
    ...settings,
  }
  // Tests stop and set the clock of this process, with any database.
  const parts = { openEngine, site: consoleSite(), clock: () => new Date() }
  const start = () => startServer(config, undefined, undefined, parts)
  const host = (await start()) as Server<SimulatedEngines>
  // A test that starts each of its servers itself gets no further ones.
  const more = settings.databaseUrl ? 0 : inject('servers') - 1
  const others = await Promise.all(Array.from({ length: more }, start))
  const servers = [host, ...others] as Server<SimulatedEngines>[]
  for (const { url, controlPlane } of servers) callInProcess(url, controlPlane.fetch)
  const urls = servers.map(({ url }) => url)
  const { db } = host.controlPlane.database
  const times = () => {
    const now = new Date().toISOString()
    return { time_created: now, time_modified: now, time_deleted: null }
  }

  const stored = (name: string) => ({
    id: crypto.randomUUID(),
    ...named(name),
    description: '',
    ...times(),
    size: 2 ** 30,
    block_size: 4096 as const,
  })

  const signInAs = async (userId: string) =>
    new Caller(urls, `session=${await createSession(db, userId, new Date())}`)
  const admin = await db
    .selectFrom('silo_user')
    .select(['id', 'silo_id'])
    .where('external_id', '=', 'admin')
    .executeTakeFirstOrThrow()

  const grant: TestServer['grant'] = async (identity, resource_type, resource_id, role_name) => {
    await db
      .insertInto('role_assignment')
      .values({
        resource_type,
        resource_id,
        identity_type: identity.type ?? 'silo_user',
        identity_id: identity.id,
        role_name,
      })
      .execute()
  }

  return {
    url: host.url,
    host,
    db,
    databaseUrl: config.databaseUrl,
    data: config.data,
    admin: await signInAs(admin.id),
    anonymous: new Caller(urls),
    siloId: admin.silo_id,
    signInAs,
    grant,

    async createSilo(name, values = {}) {
      const id = crypto.randomUUID()
      await db
        .insertInto('silo')
        .values({
          id,
          ...named(name),
          description: '',
          ...times(),
          listed_in: values.discoverable === false ? null : FLEET_ID,
          identity_mode: values.identity_mode ?? 'local_only',
          discoverable: values.discoverable === false ? 0 : 1,
          admin_group_name: values.admin_group_name ?? null,
          mapped_fleet_roles: JSON.stringify(values.mapped_fleet_roles ?? {}),
          quota_cpus: 16,
          quota_memory: 2 ** 36,
          quota_storage: 2 ** 40,
          used_cpus: 0,
          used_memory: 0,
          used_storage: 0,
          device_token_max_ttl_seconds: null,
        })
        .execute()
      return id
    },

    async createUser(name, grants = {}, siloId = admin.silo_id) {
      const id = crypto.randomUUID()
      await db
        .insertInto('silo_user')
        .values({
          id,
          silo_id: siloId,
          external_id: name,
          display_name: name,
          password_hash: null,
          ...times(),
        })
        .execute()
      // As a user of a directory.
      const [provider] = await providersOf(db, siloId)
      if (provider) await linkUser({ db, now: new Date() }, provider, { userId: id, name })
      if (grants.fleet) await grant({ id }, 'fleet', FLEET_ID, grants.fleet)
      if (grants.silo) await grant({ id }, 'silo', siloId, grants.silo)
      for (const [projectId, role] of Object.entries(grants.projects ?? {})) {
        await grant({ id }, 'project', projectId, role)
      }
      return { id, name, caller: await signInAs(id) }
    },

    async createSnapshot(name, project_id, disk_id = crypto.randomUUID()) {
      const snapshot = {
        ...stored(name),
        project_id,
        disk_id,
        state: 'ready' as const,
        consistency: null,
        has_volume: 0 as const,
        storage_pool_id: null,
        reconcile_at: null,
        ...unclaimed,
      }
      await db.insertInto('snapshot').values(snapshot).execute()
      return snapshot
    },

    async createImage(name, project_id, silo_id = admin.silo_id) {
      const about = { os: 'Plan 9', version: '4', snapshot_id: null }
      const image = { ...stored(name), ...about, project_id, silo_id }
      await db.insertInto('image').values(image).execute()
      return image
    },

    async createGroup(name, members, siloId = admin.silo_id) {
      const id = crypto.randomUUID()
      await db
        .insertInto('silo_group')
        .values({ id, silo_id: siloId, display_name: name, ...times() })
        .execute()
      for (const user_id of members) {
        await db.insertInto('silo_group_membership').values({ group_id: id, user_id }).execute()
      }
      return id
    },

    async close() {
      servers.forEach(overHttp)
      await Promise.all(servers.map((server) => server.close()))
      drop()
    },
    drop,
  }
}

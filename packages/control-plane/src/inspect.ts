/** Inspects a database from outside: without migrations, and without writes. */
import { DAY_MS, OTHER_HOST, siloHost } from '@steading/api/rules'
import { Kysely } from 'kysely'
import { appliedOf, recordedMigrations } from './kernel/db/baseline.ts'
import { otherEngine, type OtherEngineError } from './kernel/db/engine-claim.ts'
import { migrationsOf, partWith } from './kernel/engine.ts'
import type { DatabaseHost, Db, Migrations } from './kernel/db/database.ts'
import type { Database } from './kernel/db/schema.ts'
import type { Engine, ExaminedPool } from './kernel/ports/engines.ts'
import { migrations } from './migrations/index.ts'
import { certificatesFor } from './resources/identity/certificates/serve.ts'
import { readSetting } from './kernel/db/setting.ts'
import './engines/volumes/table.ts'

/** The rows of an up-to-date database that matter to its host. */
export interface Contents {
  /** The token of the data directory that belongs to the database. */
  dataToken: string | undefined
  /** End of the last call in the audit log. */
  lastCall: string | undefined
  /** The last sign-in of the past day that was refused because of another host in its headers. */
  otherHost: { time: string; message: string } | undefined
  /** Ids of the volumes and snapshots with bytes in the block store. */
  volumes: string[]
  /** Paths of the files with bytes of volumes that the engine keeps itself. */
  volumeFiles: string[]
  /** Storage pools of the engine besides the first one. */
  pools: ExaminedPool[]
  /** Addresses of the hosts in service. */
  hostAddresses: string[]
  /**
   * Hosts of the silos, each with the end of the certificate it is served with; undefined without
   * one.
   */
  certificates: { host: string; ends: string | undefined }[]
}

/** The state of a database. */
export type Inspection =
  /** No server has been started on it. */
  | { state: 'empty' }
  /** It has migrations of a newer version. */
  | { state: 'newer'; unknown: string[] }
  /** Only 0.2.0 can bring it up to date for this version. */
  | { state: 'too old' }
  /** It was made with another engine, or with another part for a port, and has its tables. */
  | { state: 'another engine'; refusal: OtherEngineError }
  /** The next start makes changes. */
  | { state: 'older'; pending: string[] }
  | { state: 'current'; contents: Contents }

/** Entries of the audit log among which a refused sign-in is searched for. */
const RECENT_ENTRIES = 1000

async function lastOtherHost(db: Db, now: Date): Promise<Contents['otherHost']> {
  const recent = await db
    .selectFrom('audit_log')
    .select(['time_completed', 'error_code', 'error_message'])
    .where('time_completed', '>=', new Date(now.getTime() - DAY_MS).toISOString())
    .orderBy('time_completed', 'desc')
    .limit(RECENT_ENTRIES)
    .execute()
  const last = recent.find(({ error_code }) => error_code === OTHER_HOST)
  return last && { time: last.time_completed, message: last.error_message! }
}

/** The key under which the database keeps the token of its data directory. */
export const DATA_TOKEN = 'data_directory'

async function hasTables(db: Db): Promise<boolean> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  return tables.some(({ name }) => name === 'kysely_migration')
}

async function readContents(
  db: Db,
  engine: Pick<Engine, 'parts'>,
  zones: readonly string[],
  now: Date,
): Promise<Contents> {
  const token = await readSetting(db, DATA_TOKEN)
  const last = await db
    .selectFrom('audit_log')
    .select('time_completed')
    .orderBy('time_completed', 'desc')
    .limit(1)
    .executeTakeFirst()
  const volumes = await db.selectFrom('volume').select('id').where('has_bytes', '=', 1).execute()
  const silos = await db
    .selectFrom('silo')
    .select('name')
    .where('time_deleted', 'is', null)
    .orderBy('name')
    .execute()
  const machines = await db
    .selectFrom('host')
    .select('address')
    .where('time_deleted', 'is', null)
    .where('state', '=', 'in_service')
    .orderBy('address')
    .execute()
  const hosts = silos.flatMap(({ name }) => zones.map((zone) => siloHost(name, zone)))
  const certificates = []
  for (const host of hosts) {
    const [best] = await certificatesFor(db, host, zones, now)
    certificates.push({ host, ends: best?.timeEnds })
  }
  return {
    dataToken: token,
    lastCall: last?.time_completed,
    otherHost: await lastOtherHost(db, now),
    volumes: volumes.map(({ id }) => id),
    volumeFiles: (await partWith(engine, 'volumes')?.volumeFiles?.(db)) ?? [],
    pools: (await partWith(engine, 'volumes')?.examinePools?.(db)) ?? [],
    hostAddresses: machines.map(({ address }) => address),
    certificates,
  }
}

/**
 * Inspects a database, and closes it.
 * @param engine the engine of the host, whose tables the database should have
 * @param zones whose hosts are served with certificates
 * @throws the error of the database if it cannot be read
 */
export async function inspectDatabase(
  host: DatabaseHost,
  engine: Pick<Engine, 'parts'>,
  zones: readonly string[],
  now: Date,
): Promise<Inspection> {
  const db = new Kysely<Database>({ dialect: host.kysely })
  try {
    const recorded = (await hasTables(db)) ? await recordedMigrations(db) : []
    if (recorded.length === 0) return { state: 'empty' }
    const refusal = await otherEngine(db, host.dialect, engine)
    if (refusal) return { state: 'another engine', refusal }
    const known: Migrations = Object.assign({}, migrations, ...migrationsOf(engine))
    const { names, isTooOld } = appliedOf(recorded, known)
    const unknown = names.filter((name) => !(name in known))
    if (unknown.length > 0) return { state: 'newer', unknown }
    if (isTooOld) return { state: 'too old' }
    const pending = Object.keys(known).filter((name) => !names.includes(name))
    if (pending.length > 0) return { state: 'older', pending: pending.toSorted() }
    return { state: 'current', contents: await readContents(db, engine, zones, now) }
  } finally {
    await db.destroy()
  }
}

/**
 * A port of a database belongs to the part of an engine with which it was made, because that part has
 * tables there, or things elsewhere.
 */
import { Kysely, sql } from 'kysely'
import { partWith } from '../engine.ts'
import type { Engine, EnginePort } from '../ports/engines.ts'
import type { DatabaseHost, Db, Dialect, OpenDatabase } from './database.ts'
import type { Database } from './schema.ts'
import { BOOTSTRAPPED, readSetting } from './setting.ts'

type Parts = Pick<Engine, 'parts'>
/** Port → the name of the part to which it belongs. */
type Owners = Partial<Record<EnginePort, string>>

/** Key of the claim of machines. Earlier versions have no other, and it claims all ports. */
const KEY = 'engine'
const keyOf = (port: EnginePort): string => (port === 'machines' ? KEY : `${KEY}.${port}`)
const portOf = (key: string): string => (key === KEY ? 'machines' : key.slice(KEY.length + 1))

/** Databases of 0.2.0 do not name their engine. */
const UNNAMED = 'simulated'
/** The ports of the engines that claimed all of them by one name. */
const claimedTogether: Record<string, readonly EnginePort[]> = {
  simulated: [
    'hardware',
    'simulation',
    'machines',
    'volumes',
    'consoles',
    'uplinks',
    'updates',
    'multicast',
    'power',
    'measurements',
  ],
  libvirt: [
    'hardware',
    'machines',
    'volumes',
    'consoles',
    'displays',
    'networking',
    'hosts',
    'measurements',
  ],
}

/** A port of the database belongs to another part than that of the engine. */
export class OtherEngineError extends Error {
  readonly port: EnginePort
  readonly owner: string

  constructor(port: EnginePort, owner: string) {
    const what = port === 'machines' ? 'the database' : `the part "${port}" of the database`
    super(`${what} belongs to the engine "${owner}"`)
    this.port = port
    this.owner = owner
  }
}

const hasSettings = async (db: Db, dialect: Dialect): Promise<boolean> => {
  const found =
    dialect === 'postgres'
      ? sql<{ found: unknown }>`select to_regclass('setting') as found`
      : sql<{ found: unknown }>`select name as found from sqlite_schema where name = 'setting'`
  const { rows } = await found.execute(db)
  return rows.some((row) => row.found !== null)
}

/** The claims that the database records. */
async function claimsIn(db: Db): Promise<Owners> {
  const rows = await db
    .selectFrom('setting')
    .select(['key', 'value'])
    .where((eb) => eb.or([eb('key', '=', KEY), eb('key', 'like', `${KEY}.%`)]))
    .execute()
  return Object.fromEntries(rows.map(({ key, value }) => [portOf(key), value]))
}

/** The owners of the ports; none of a database that is new. */
async function ownersIn(db: Db): Promise<Owners> {
  const claims = await claimsIn(db)
  if (Object.keys(claims).length > 1) return claims
  // A start that was killed before its claims has not set up the database either.
  const isSetUp = (await readSetting(db, BOOTSTRAPPED)) !== undefined
  const owner = claims.machines ?? (isSetUp ? UNNAMED : undefined)
  if (owner === undefined) return {}
  const ports = claimedTogether[owner] ?? ['machines']
  return Object.fromEntries(ports.map((port) => [port, owner]))
}

const ownersOf = async (db: Db, dialect: Dialect): Promise<Owners> =>
  (await hasSettings(db, dialect)) ? ownersIn(db) : {}

/** Why a database with these owners is refused; machines come first, because all else follows. */
function refusalOf(owners: Owners, engine: Parts): OtherEngineError | undefined {
  const ports = ['machines', ...Object.keys(owners)] as EnginePort[]
  for (const port of ports) {
    const owner = owners[port]
    if (owner === undefined || owner === partWith(engine, port)?.name) continue
    return new OtherEngineError(port, owner)
  }
  return undefined
}

/** Why a database is refused with an engine; undefined if it opens. */
export const otherEngine = async (
  db: Db,
  dialect: Dialect,
  engine: Parts,
): Promise<OtherEngineError | undefined> => refusalOf(await ownersOf(db, dialect), engine)

/**
 * The part to which a port of a database belongs, before it is opened; undefined for a new one.
 */
export async function ownerOf(
  { kysely, dialect }: DatabaseHost,
  port: EnginePort = 'machines',
): Promise<string | undefined> {
  // Not destroyed, because that would close the connection of the host.
  return (await ownersOf(new Kysely<Database>({ dialect: kysely }), dialect))[port]
}

/** Whether instances of a database that is set up have machines, before it is opened. */
export async function hasMachines({ kysely }: DatabaseHost): Promise<boolean> {
  // Not destroyed, because that would close the connection of the host.
  const found = await new Kysely<Database>({ dialect: kysely })
    .selectFrom('instance')
    .select('id')
    .where('vm_id', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * Refuses a database of another engine, before its tables are changed.
 * @throws OtherEngineError
 */
export async function refuseOtherEngine(
  { kysely, dialect }: DatabaseHost,
  engine: Parts,
): Promise<void> {
  const db = new Kysely<Database>({ dialect: kysely })
  try {
    const refusal = await otherEngine(db, dialect, engine)
    if (refusal) throw refusal
  } catch (error) {
    await db.destroy()
    throw error
  }
}

/**
 * Records the parts to which the ports of a database belong.
 * @throws OtherEngineError if another server has just recorded others
 */
export async function claimForEngine(
  { db, transaction }: Pick<OpenDatabase, 'db' | 'transaction'>,
  engine: Parts,
): Promise<void> {
  const claims = engine.parts.flatMap(({ name, ports }) => ports.map((port) => ({ port, name })))
  const claim = async (tx: Db): Promise<OtherEngineError | undefined> => {
    const refusal = refusalOf(await ownersIn(tx), engine)
    if (refusal) return refusal
    await tx
      .insertInto('setting')
      .values(claims.map(({ port, name }) => ({ key: keyOf(port), value: name })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return undefined
  }
  const known = await claimsIn(db)
  const isClaimed = claims.every(({ port }) => known[port] !== undefined)
  const refusal = isClaimed ? refusalOf(known, engine) : await transaction(claim)
  if (refusal) throw refusal
}

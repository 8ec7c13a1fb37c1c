/**
 * Databases of version 0.2.0 record more than 70 changes with numbered names. One baseline with the
 * same tables has replaced these; an earlier database has to be opened by 0.2.0 once.
 */
import { type Kysely, sql } from 'kysely'

/** Name of the migration that creates the tables of 0.2.0. */
export const BASELINE = '0000-baseline'
/** The newest change of 0.2.0. Migrations run in order, so a database that has it has all. */
const NEWEST_REPLACED = '0123-repeated-trust-roots'
/** All numbered changes are of 0.2.0 or earlier. */
const isNumbered = (name: string): boolean => /^0\d{3}-/.test(name)

/** The text about a database from before 0.2.0, and the advice to its operator. */
export const TOO_OLD = {
  problem: 'the database was written by a version before 0.2.0',
  advice: 'start version 0.2.0 with it once, then this one',
}

/** The schema was made by a version before 0.2.0. */
export class OlderSchemaError extends Error {
  constructor() {
    super(`${TOO_OLD.problem}; ${TOO_OLD.advice}`)
  }
}

/** The applied migrations of a database, where the baseline stands for those that it replaced. */
export interface Applied {
  names: string[]
  /** Recorded names of replaced migrations. */
  replaced: string[]
  /** It was made before 0.2.0, and lacks some of the replaced migrations. */
  isTooOld: boolean
}

/**
 * @param recorded names that the database records
 * @param known all migrations of this version
 */
export function appliedOf(recorded: readonly string[], known: object): Applied {
  const replaced = recorded.includes(BASELINE)
    ? []
    : recorded.filter((name) => isNumbered(name) && !(name in known))
  if (replaced.length === 0) return { names: [...recorded], replaced, isTooOld: false }
  const others = recorded.filter((name) => !replaced.includes(name))
  const isTooOld = !replaced.includes(NEWEST_REPLACED)
  return { names: [BASELINE, ...others], replaced, isTooOld }
}

/**
 * The names of the migrations that a database records.
 * @throws the error of the database if it has no tables yet
 */
export async function recordedMigrations<Tables>(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return rows.map(({ name }) => name)
}

/** Records the baseline in place of what it replaced. Several servers may do so at a time. */
export async function recordBaseline<Tables>(
  db: Kysely<Tables>,
  replaced: readonly string[],
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`insert into kysely_migration (name, timestamp)
      select ${BASELINE}, min(timestamp) from kysely_migration where true
      on conflict do nothing`.execute(tx)
    await sql`delete from kysely_migration where name in (${sql.join(replaced)})`.execute(tx)
  })
}

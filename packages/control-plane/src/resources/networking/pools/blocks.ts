/**
 * The parts of the address space that belong to pools. No two of them overlap, whatever the kinds
 * of their pools.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { TableName } from '../../../kernel/db/tables.ts'
import { storedKinds } from '../../../kernel/kinds.ts'
import type { KeyRange } from '../addresses/space.ts'

declare module '../../../kernel/kinds.ts' {
  interface Storage {
    /** A table whose rows each have a part of the address space: `first_key`, `last_key`. */
    blocks?: TableName
  }
}

/** True of rows that overlap with a range. Keys of the other version have another length. */
const overlaps = ({ first_key, last_key }: KeyRange): RawBuilder<boolean> =>
  sql`length(first_key) = ${first_key.length}
    and first_key <= ${last_key} and last_key >= ${first_key}`

/**
 * Whether a part of a range already belongs to a pool. The answer stays true only in a transaction
 * that runs alone.
 */
export async function isClaimed(db: Db, range: KeyRange): Promise<boolean> {
  const each = storedKinds().flatMap(({ blocks }) =>
    blocks ? [sql`select 1 from ${sql.table(blocks)} where ${overlaps(range)}`] : [],
  )
  const { rows } = await sql`select 1 where exists (${sql.join(each, sql` union all `)})`.execute(
    db,
  )
  return rows.length > 0
}

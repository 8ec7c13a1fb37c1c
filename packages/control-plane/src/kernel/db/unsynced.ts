import { type RawBuilder, sql } from 'kysely'

/** Ends the text of a statement whose commit does not wait for the disk. */
export const UNSYNCED = '/* unsynced */'

/**
 * For statements outside of transactions whose loss does no harm: on SQLite their commit does not
 * wait for the disk (`modifyEnd(unsynced)`). A crash of the process loses none of them, and each
 * later commit that waits also keeps all before it, so only a power failure can lose the newest
 * ones. A power failure also ends the only process that uses the database, and with it every step
 * that holds a claim. PostgreSQL, which several servers may share, ignores it.
 */
export const unsynced: RawBuilder<unknown> = sql.raw(UNSYNCED)

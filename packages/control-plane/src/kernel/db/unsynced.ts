import { type RawBuilder, sql } from 'kysely'

/** Ends the text of a statement whose commit does not wait for the disk. */
export const UNSYNCED = '/* unsynced */'

/**
 * For statements outside of transactions whose loss does no harm: on SQLite their commit does not
 * wait for the disk (`modifyEnd(unsynced)`). A crash of the process loses none of them, and each later
 * commit that waits keeps all before it, so only a power failure may take back the newest ones. It
 * ends the only process that uses the database as well, and with it every step that made a claim.
 * PostgreSQL has several servers, and does not know of it.
 */
export const unsynced: RawBuilder<unknown> = sql.raw(UNSYNCED)

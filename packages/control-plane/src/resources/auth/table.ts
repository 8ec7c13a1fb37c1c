import { storeTable } from '../../kernel/db/tables.ts'

export interface ConsoleSessionTable {
  id: string
  /** SHA-256 of the token, hex. */
  token_hash: string
  user_id: string
  time_created: string
  time_last_used: string
}

declare module '../../kernel/db/schema.ts' {
  interface Database {
    console_session: ConsoleSessionTable
  }
}

storeTable('console_session', { within: { user_id: 'silo_user' } })

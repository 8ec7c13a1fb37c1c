export interface ConsoleSessionTable {
  id: string
  /** SHA-256 of the token, hex. */
  token_hash: string
  user_id: string
  time_created: string
  time_last_used: string
  /** Where the session was opened; null if that is not known. */
  client_address: string | null
  user_agent: string | null
}

declare module '../../kernel/db/schema.ts' {
  interface Database {
    console_session: ConsoleSessionTable
  }
}

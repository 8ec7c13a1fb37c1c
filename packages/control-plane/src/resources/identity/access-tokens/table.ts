import type { StoredTables } from '../../../kernel/db/tables.ts'
export interface AccessTokenTable {
  id: string
  /** SHA-256 of the token, hex. */
  token_hash: string
  /** SHA-256 of the code by which its device fetches it, hex. */
  device_code_hash: string
  /** The kind of program, as given by the device. */
  client_id: string
  user_id: string
  time_created: string
  /** Null if it does not expire. */
  time_expires: string | null
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    access_token: AccessTokenTable
  }
}

export const accessTokenTables: StoredTables = {
  access_token: { partOf: { user_id: 'silo_user' } },
}

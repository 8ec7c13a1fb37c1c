import type { Generated } from 'kysely'
import { kinds, type TokenAccess } from '@steading/api/rules'
import { jsonColumn } from '../../../kernel/db/json-column.ts'
import type { StoredTables } from '../../../kernel/db/tables.ts'

export interface AccessTokenTable {
  id: string
  /** SHA-256 of the token, hex. */
  token_hash: string
  /**
   * SHA-256 of the code by which its device fetches it, hex. For a token that was made with a name, a
   * text that is the digest of no code.
   */
  device_code_hash: string
  /** The kind of program, as given by the device; empty for a token that was made with a name. */
  client_id: string
  user_id: string
  time_created: string
  /** Null if it does not expire. */
  time_expires: string | null
  /** Null for the token of a device. */
  name: string | null
  access: Generated<TokenAccess>
  /** JSON: the ids of the only projects in which it has rights; null for all. */
  projects: string | null
  created_address: string | null
  /** The latest use, exact to a minute; null if not used yet. */
  time_last_used: string | null
  last_used_address: string | null
}

/** The column `projects`. */
export const tokenProjects = jsonColumn<string[]>()

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    access_token: AccessTokenTable
  }
}

export const accessTokenTables: StoredTables = {
  access_token: {
    times: { time_expires: { endsAfter: 'time_created' } },
    partOf: { user_id: 'silo_user' },
    names: { access_token_name: kinds.access_token.type },
  },
}

import type { StoredKind } from '../../../kernel/kinds.ts'

export interface ScimTokenTable {
  id: string
  /** SHA-256 of the token, hex. */
  token_hash: string
  silo_id: string
  time_created: string
  /** Null if it does not expire. */
  time_expires: string | null
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    scim_token: ScimTokenTable
  }
}

export const scim_token: StoredKind<'scim_token'> = {
  tables: {
    scim_token: {
      times: { time_expires: { endsAfter: 'time_created' } },
      partOf: { silo_id: 'silo' },
    },
  },
  live: '1 = 1',
}

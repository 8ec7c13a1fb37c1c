import type { StoredTables } from '../../../kernel/db/tables.ts'

/**
 * Spent single-use messages: assertions, requests to identity providers, logout tokens, and steps of
 * a sign-in.
 */
export interface SamlSpentTable {
  digest: string
  /** From then on it is refused as expired anyway. */
  time_expires: string
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    saml_spent: SamlSpentTable
  }
}

export const spentTables: StoredTables = {
  saml_spent: {
    times: { time_expires: { mayBeAhead: 'what is used once is refused until it has expired' } },
  },
}

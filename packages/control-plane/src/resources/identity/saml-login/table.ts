/** Spent single-use messages: assertions, and requests to identity providers. */
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

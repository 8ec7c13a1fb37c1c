import type { StoredTables } from '../../../kernel/db/tables.ts'

/** A name by which an identity provider knows a user. Each name of a provider has one user. */
export interface UserIdentityTable {
  /** Id of a SAML or an OpenID Connect provider, which may have been deleted. */
  provider_id: string
  name: string
  user_id: string
  time_created: string
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    user_identity: UserIdentityTable
  }
}

export const userIdentityTables: StoredTables = {
  user_identity: { partOf: { user_id: 'silo_user' } },
}

import type { SessionEndReason } from '@steading/api/rules'
import type { StoredKind } from '../../../kernel/kinds.ts'

export interface ConsoleSessionTable {
  id: string
  /** SHA-256 of the token, hex. */
  token_hash: string
  user_id: string
  time_created: string
  time_last_used: string
  /** When it ends according to the identity provider; null if that gives no time. */
  time_expires: string | null
  /** The OpenID Connect provider that opened it; null for other sessions. */
  oidc_provider_id: string | null
  /** Subject of the user there, and the session there if it has an id. */
  oidc_subject: string | null
  oidc_session: string | null
  /**
   * The ID token, encrypted with a key that derives from the session's token, so that a copy of the
   * database does not have it; null unless it is used for signing out at the provider.
   */
  oidc_id_token: string | null
  /** The origin of the session; null if unknown. */
  client_address: string | null
  user_agent: string | null
}

/** A session that was ended before it expired. */
export interface EndedSessionTable {
  /** SHA-256 of its token, hex. */
  token_hash: string
  reason: SessionEndReason
  time_ended: string
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    console_session: ConsoleSessionTable
    ended_session: EndedSessionTable
  }
}

export const console_session: StoredKind<'console_session'> = {
  tables: {
    console_session: {
      times: { time_expires: { endsAfter: 'time_created' } },
      within: { user_id: 'silo_user' },
      origins: { oidc_provider_id: 'oidc_identity_provider' },
    },
  },
  live: '1 = 1',
  parentColumn: 'user_id',
}

import type { UserLinkPurpose } from '@steading/api/rules'
import type { Reconciled } from '../../../kernel/db/schema.ts'
import type { StoredTables } from '../../../kernel/db/tables.ts'

/** The mail address of a user, and the mails that strangers can cause. */
export interface UserMailTable {
  user_id: string
  address: string
  /** Null until the user has followed a link in a mail to it. */
  time_confirmed: string | null
  /** Mails about a forgotten password on a day. */
  forgotten_mails: number
  forgotten_mails_day: string
}

/**
 * A link for one use. A user has at most one for a password and one that confirms an address. The
 * reconciler claims those that are sent by mail.
 */
export interface UserLinkTable extends Reconciled {
  id: string
  user_id: string
  purpose: UserLinkPurpose
  /**
   * SHA-256 of the secret, hex. Null before the first attempt to send it: each attempt makes a new
   * secret, because the database knows none.
   */
  token_hash: string | null
  /** The address to which it is sent; null if an administrator hands it over. */
  address: string | null
  time_expires: string
  time_sent: string | null
  /** Failed attempts in a row. */
  attempts: number
  problem: string | null
  /** When the first of the failed attempts was made. */
  time_failed: string | null
  /** Nothing is sent before, after a failed attempt. */
  time_next_attempt: string | null
  time_created: string
}

/**
 * A stranger's request for a mail. It is stored whether the user exists or not, and looked at after
 * the answer, so that the answer tells nothing.
 */
export interface PasswordRequestTable extends Reconciled {
  /** Digest of the silo and the name: one request for each. */
  id: string
  silo_id: string
  user_name: string
  time_created: string
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    user_mail: UserMailTable
    user_link: UserLinkTable
    password_request: PasswordRequestTable
  }
}

const partOf = { user_id: 'silo_user' } as const

export const userLinkTables: StoredTables = {
  user_mail: { partOf },
  user_link: { partOf, times: { time_expires: { endsAfter: 'time_created' } } },
  password_request: { partOf: { silo_id: 'silo' } },
}

import { type SecondFactorPolicy, TOTP_PERIOD_S } from '@steading/api/rules'
import { jsonColumn } from '../../../kernel/db/json-column.ts'
import type { Flag } from '../../../kernel/db/schema.ts'
import type { StoredTables } from '../../../kernel/db/tables.ts'

/** One-time passwords of a user. */
export interface TotpTable {
  user_id: string
  /** Base32; in no answer after the setup. */
  secret: string
  /** The latest period whose password was used; earlier ones are refused. */
  last_period: number
  time_created: string
}

export interface RecoveryCodeTable {
  /** SHA-256 of the code, hex. */
  digest: string
  user_id: string
}

export interface PasskeyTable {
  id: string
  user_id: string
  name: string
  /** Base64url. */
  credential_id: string
  /** COSE, base64url. */
  public_key: string
  /** The signature counter; 0 for authenticators that keep none. */
  counter: number
  /** Host name for which it was made. */
  host: string
  /** JSON. */
  transports: string
  synced: Flag
  time_created: string
  time_last_used: string | null
}

/** The column `transports`. */
export const passkeyTransports = jsonColumn<string[]>()

/** A silo without a row has the policy `optional`. */
export interface SignInPolicyTable {
  silo_id: string
  second_factor: SecondFactorPolicy
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    totp: TotpTable
    recovery_code: RecoveryCodeTable
    passkey: PasskeyTable
    sign_in_policy: SignInPolicyTable
  }
}

const partOf = { user_id: 'silo_user' } as const

export const secondFactorTables: StoredTables = {
  totp: {
    times: { last_period: { numberOf: (now) => Math.floor(now.getTime() / 1000 / TOTP_PERIOD_S) } },
    partOf,
  },
  recovery_code: { partOf },
  passkey: { partOf },
  sign_in_policy: { partOf: { silo_id: 'silo' } },
}

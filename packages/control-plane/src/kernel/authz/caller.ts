import type { AuthMethod } from '@steading/api/rules'
import type { Actor } from './actor.ts'

/** The credential that a caller authenticated with. */
export interface Credential {
  method: AuthMethod
  /** Id of the session or the token; not the secret. */
  id: string
  /** When it expires, for a session that is not used until then; null if it never does. */
  expires: Date | null
}

/** An authenticated user. */
export interface UserCaller {
  actor: Actor
  credential: Credential
}

/** An authenticated identity provider, which keeps the users and groups of a silo. */
export interface ScimCaller {
  actor?: undefined
  scim: { siloId: string }
  credential: Credential
}

export type Caller = UserCaller | ScimCaller

/** A caller as read from the database. */
export type KnownCaller<C extends Caller = Caller> = C & {
  /**
   * How long this may be cached at most, in milliseconds, even where the general limit is longer.
   */
  leftMs: number
}

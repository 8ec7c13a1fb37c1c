import type { AuthMethod } from '@steading/api/rules'
import type { Actor } from './actor.ts'

/** What a caller has proven who they are with. */
export interface Credential {
  method: AuthMethod
  /** Of the session or the token; not the secret. */
  id: string
  /** When it ends, for a session: unless it is used; null if it does not expire. */
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

/** A caller as they were read from the database. */
export type KnownCaller<C extends Caller = Caller> = C & {
  /** How long this may be relied on, in milliseconds, whatever else is trusted for longer. */
  leftMs: number
}

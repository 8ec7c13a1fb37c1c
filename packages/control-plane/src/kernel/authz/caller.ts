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

/** An authenticated caller. */
export interface Caller {
  actor: Actor
  credential: Credential
}

/** A caller as they were read from the database. */
export interface KnownCaller extends Caller {
  /** How long this may be relied on, in milliseconds, whatever else is trusted for longer. */
  leftMs: number
}

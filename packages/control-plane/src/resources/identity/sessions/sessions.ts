/** The sessions of browsers: their cookie; opening, finding and ending them. */
import {
  SESSION_COOKIE,
  SESSION_TOKEN_BYTES,
  type SessionEndReason,
  SILO_COOKIE,
  SILO_COOKIE_AGE,
  USER_AGENT_MAX,
} from '@steading/api/rules'
import { expressionBuilder } from 'kysely'
import type { KnownCaller, UserCaller } from '../../../kernel/authz/caller.ts'
import { loadUser } from '../../../kernel/authz/actor.ts'
import type { HttpCall } from '../../../kernel/context.ts'
import { addCookies, cookieLines, cookieValues } from '../../../kernel/cookies.ts'
import type { Db, Ids } from '../../../kernel/db/database.ts'
import type { Database } from '../../../kernel/db/schema.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { digest, randomToken, seal } from '../../../kernel/secrets.ts'
import type { Settings } from '../../../kernel/settings.ts'
import type { Writing } from '../../../kernel/work.ts'
import { changeRow } from '../../../kernel/db/rows.ts'

/** The last use of a session is stored at most this often; the idle limit is hours. */
const LAST_USED_PRECISION_MS = 60_000

/**
 * The tokens of sessions that a request may belong to, valid or not; the one for this port comes
 * first. Other servers on this host may have set some of them.
 */
export const sessionTokens = (request: Request): string[] => cookieValues(request, SESSION_COOKIE)

type Answering = Pick<HttpCall, 'request' | 'responseHeaders'>

const everywhere = { path: '/', sameSite: 'Lax' } as const

/** Sets the cookies of a session; with an empty token, removes them. */
export function setSessionCookies(
  { request, responseHeaders }: Answering,
  token: string,
  maxAgeMs: number,
): void {
  const maxAge = Math.floor(maxAgeMs / 1000)
  addCookies(
    responseHeaders,
    cookieLines(request, SESSION_COOKIE, token, { ...everywhere, maxAge }),
  )
}

/** Records the silo to which the browser is sent for signing in. */
function setSiloCookies({ request, responseHeaders }: Answering, silo: string): void {
  addCookies(
    responseHeaders,
    cookieLines(request, SILO_COOKIE, silo, { ...everywhere, maxAge: SILO_COOKIE_AGE }),
  )
}

/** Sets the cookies of a browser whose user has signed in. */
export function setSignInCookies(
  http: Answering,
  { sessionAbsoluteMs }: Pick<Settings, 'sessionAbsoluteMs'>,
  token: string,
  silo: string,
): void {
  setSessionCookies(http, token, sessionAbsoluteMs)
  setSiloCookies(http, silo)
}

/** Origin of a session, and the limit of its duration. */
export interface Origin {
  request: Request
  clientAddress: string
  /** When it ends at the latest, according to the identity provider. */
  expires?: Date
  /** The session of the OpenID Connect provider from which it derives. */
  derives?: {
    provider: string
    subject: string
    session: string | undefined
    /** Kept for signing out at the provider. */
    idToken: string | undefined
  }
}

/**
 * Opens a session.
 * @returns its token, which is stored as a digest, so that a copy of the database opens no session
 */
export async function createSession(
  db: Db,
  userId: string,
  now: Date,
  from?: Origin,
  id: string = crypto.randomUUID(),
): Promise<string> {
  const token = randomToken(SESSION_TOKEN_BYTES)
  const idToken = from?.derives?.idToken
  await db
    .insertInto('console_session')
    .values({
      id,
      token_hash: await digest(token),
      user_id: userId,
      time_created: now.toISOString(),
      time_last_used: now.toISOString(),
      time_expires: from?.expires?.toISOString() ?? null,
      oidc_provider_id: from?.derives?.provider ?? null,
      oidc_subject: from?.derives?.subject ?? null,
      oidc_session: from?.derives?.session ?? null,
      oidc_id_token: idToken === undefined ? null : await seal(idToken, token),
      client_address: from?.clientAddress || null,
      user_agent: from?.request.headers.get('user-agent')?.slice(0, USER_AGENT_MAX) ?? null,
    })
    .execute()
  return token
}

/**
 * Opens the session of a user who signs in, and notifies the pages that show the user's sessions.
 * @returns its token
 */
export async function signIn(
  { db, now, emit }: Writing,
  userId: string,
  from: Origin,
): Promise<string> {
  const id = crypto.randomUUID()
  const token = await createSession(db, userId, now, from, id)
  await changeRow(db, 'silo_user', userId, { time_last_sign_in: now.toISOString() })
  await emit('console_session', 'create', { id, name: '', user_id: userId })
  return token
}

/** Selects the sessions to end. */
type Which =
  | { token: string }
  | { id: string; userId: string }
  | { userId: string; but?: string }
  | { users: Ids }
  | { provider: string; subject?: string; session?: string }

/**
 * Ends sessions. Their event streams end when they receive the events of this.
 * @param because a reason kept for a while, for the browsers of the sessions; nothing is kept
 *   without it
 * @returns the number of ended sessions
 */
export async function endSessions(
  { db, now, emit }: Writing,
  which: Which,
  because?: SessionEndReason,
): Promise<number> {
  let query = db.deleteFrom('console_session').returning(['id', 'user_id', 'token_hash'])
  if ('token' in which) query = query.where('token_hash', '=', await digest(which.token))
  if ('userId' in which) query = query.where('user_id', '=', which.userId)
  if ('users' in which) query = query.where('user_id', 'in', which.users)
  if ('provider' in which) {
    query = query.where('oidc_provider_id', '=', which.provider)
    if (which.subject !== undefined) query = query.where('oidc_subject', '=', which.subject)
    if (which.session !== undefined) query = query.where('oidc_session', '=', which.session)
  }
  if ('id' in which) query = query.where('id', '=', which.id)
  if ('but' in which && which.but) query = query.where('id', '!=', which.but)
  const ended = await query.execute()
  for (const { id, user_id, token_hash } of ended) {
    await emit('console_session', 'delete', { id, name: '', user_id })
    if (!because) continue
    await db
      .insertInto('ended_session')
      .values({ token_hash, reason: because, time_ended: now.toISOString() })
      .execute()
  }
  return ended.length
}

/**
 * The reason why the session with a token has ended; null if it is valid. Most sessions that
 * expired leave nothing behind.
 */
export async function endOfSession(
  db: Db,
  settings: Settings,
  token: string,
  now: Date,
): Promise<SessionEndReason | null> {
  const token_hash = await digest(token)
  const session = await db
    .selectFrom('console_session')
    .select(['time_created', 'time_last_used', 'time_expires'])
    .where('token_hash', '=', token_hash)
    .executeTakeFirst()
  if (session) return sessionEnd(session, settings) > now.getTime() ? null : 'expired'
  const ended = await db
    .selectFrom('ended_session')
    .select('reason')
    .where('token_hash', '=', token_hash)
    .executeTakeFirst()
  return ended?.reason ?? 'expired'
}

type Ends = Pick<Row<'console_session'>, 'time_created' | 'time_last_used' | 'time_expires'>

/** The time at which a session ends however much it is used, in milliseconds of the clock. */
export const sessionLimit = (
  { time_created, time_expires }: Omit<Ends, 'time_last_used'>,
  { sessionAbsoluteMs }: Settings,
): number => {
  const limit = Date.parse(time_created) + sessionAbsoluteMs
  return time_expires === null ? limit : Math.min(limit, Date.parse(time_expires))
}

/** The time at which a session ends unless it is used, in milliseconds of the clock. */
export const sessionEnd = (session: Ends, settings: Settings): number =>
  Math.min(
    sessionLimit(session, settings),
    Date.parse(session.time_last_used) + settings.sessionIdleMs,
  )

/** The condition that a session has expired. */
export function hasExpired({ sessionAbsoluteMs, sessionIdleMs }: Settings, now: Date) {
  const eb = expressionBuilder<Database, 'console_session'>()
  const before = (ms: number) => new Date(now.getTime() - ms).toISOString()
  return eb.or([
    eb('time_created', '<=', before(sessionAbsoluteMs)),
    eb('time_last_used', '<=', before(sessionIdleMs)),
    eb.and([eb('time_expires', 'is not', null), eb('time_expires', '<=', before(0))]),
  ])
}

/**
 * The caller with a session. An expired session is deleted.
 * @param counts whether this call counts as a use, which keeps the session from expiring when
 *   idle
 */
export async function readSession(
  db: Db,
  settings: Settings,
  token: string,
  now: Date,
  counts: boolean,
): Promise<KnownCaller<UserCaller> | undefined> {
  const session = await db
    .selectFrom('console_session')
    .select(['id', 'user_id', 'time_created', 'time_last_used', 'time_expires'])
    .where('token_hash', '=', await digest(token))
    .executeTakeFirst()
  if (!session) return undefined

  const idle = now.getTime() - Date.parse(session.time_last_used)
  const leftMs = sessionEnd(session, settings) - now.getTime()
  if (leftMs <= 0) {
    await db.deleteFrom('console_session').where('id', '=', session.id).execute()
    return undefined
  }
  const actor = await loadUser(db, session.user_id)
  if (!actor) return undefined
  if (counts && idle >= Math.min(LAST_USED_PRECISION_MS, settings.sessionIdleMs / 10)) {
    session.time_last_used = now.toISOString()
    await changeRow(db, 'console_session', session.id, { time_last_used: session.time_last_used })
  }
  const expires = new Date(sessionEnd(session, settings))
  return {
    actor,
    credential: { method: 'session_cookie', id: session.id, expires },
    leftMs,
  }
}

import { SESSION_COOKIE, SESSION_TOKEN_BYTES } from '@steading/api/rules'
import { loadActor, type Actor } from '../../kernel/authz/actor.ts'
import type { Db } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors.ts'
import type { ControlPlaneServices } from '../../kernel/services.ts'
import type { Settings } from '../../kernel/settings.ts'

/** Uses are written down at most this often; the idle limit is hours. */
const LAST_USED_PRECISION_MS = 60_000

const hex = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** Tokens are stored as a digest, so that a copy of the database opens no session. */
async function digest(token: string): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))))
}

export function sessionToken(request: Request): string | undefined {
  const cookies = request.headers.get('cookie')
  if (!cookies) return undefined
  for (const cookie of cookies.split(';')) {
    const [name, value] = cookie.trim().split('=', 2)
    if (name === SESSION_COOKIE && value) return value
  }
  return undefined
}

/** The cookie of a session, or without a token the one that ends it. */
export function sessionCookie(request: Request, token: string, maxAgeMs: number): string {
  const secure = new URL(request.url).protocol === 'https:' ? ' Secure;' : ''
  return `${SESSION_COOKIE}=${token}; Path=/; HttpOnly; SameSite=Lax;${secure} Max-Age=${Math.floor(maxAgeMs / 1000)}`
}

/** @returns the token, which is not stored */
export async function createSession(db: Db, userId: string, now: Date): Promise<string> {
  const token = hex(crypto.getRandomValues(new Uint8Array(SESSION_TOKEN_BYTES)))
  await db
    .insertInto('console_session')
    .values({
      id: crypto.randomUUID(),
      token_hash: await digest(token),
      user_id: userId,
      time_created: now.toISOString(),
      time_last_used: now.toISOString(),
    })
    .execute()
  return token
}

export async function deleteSession(db: Db, token: string): Promise<void> {
  await db
    .deleteFrom('console_session')
    .where('token_hash', '=', await digest(token))
    .execute()
}

interface Known {
  actor: Actor
  /** Milliseconds; not used from then on. */
  until: number
}

/**
 * Callers that were authenticated a moment ago, by token. Saves the queries that every call of a
 * busy page would repeat. Writes of this process empty it; what other processes change counts
 * after {@link Settings.sessionTrustMs} at the latest.
 */
export interface SessionCache {
  get: (token: string, now: Date) => Actor | undefined
  /**
   * Reads what is to be kept. Not kept if the cache was emptied meanwhile: what was read may be from
   * before the write that emptied it.
   */
  fill: (token: string, read: () => Promise<Known>) => Promise<Actor>
  clear: () => void
}

const MAX_CACHED = 1_000

export function createSessionCache(): SessionCache {
  const entries = new Map<string, Known>()
  let emptied = 0
  return {
    get(token, now) {
      const entry = entries.get(token)
      return entry && now.getTime() < entry.until ? entry.actor : undefined
    },
    async fill(token, read) {
      const before = emptied
      const entry = await read()
      if (emptied === before) {
        if (entries.size >= MAX_CACHED) entries.clear()
        entries.set(token, entry)
      }
      return entry.actor
    },
    clear() {
      emptied++
      entries.clear()
    },
  }
}

type AuthenticationParts = Pick<ControlPlaneServices, 'database' | 'settings' | 'sessions'>

/**
 * Who the cookie of a request belongs to.
 * @param counts whether this is a use that keeps the session from ending for being idle
 * @throws ApiError 401 if there is none, or it is unknown or expired
 */
export async function authenticate(
  { database, settings, sessions }: AuthenticationParts,
  request: Request,
  now: Date,
  counts = true,
): Promise<Actor> {
  const token = sessionToken(request)
  if (!token) throw fail.unauthorized()
  return (
    sessions.get(token, now) ??
    sessions.fill(token, () => readSession(database.db, settings, token, now, counts))
  )
}

async function readSession(
  db: Db,
  settings: Settings,
  token: string,
  now: Date,
  counts: boolean,
): Promise<Known> {
  const session = await db
    .selectFrom('console_session as session')
    .innerJoin('silo_user as user', 'user.id', 'session.user_id')
    .innerJoin('silo', 'silo.id', 'user.silo_id')
    .select([
      'session.id',
      'session.time_created',
      'session.time_last_used',
      'user.id as user_id',
      'silo.id as silo_id',
      'silo.name as silo_name',
      'silo.mapped_fleet_roles',
    ])
    .where('session.token_hash', '=', await digest(token))
    .where('user.time_deleted', 'is', null)
    .where('silo.time_deleted', 'is', null)
    .executeTakeFirst()
  if (!session) throw fail.unauthorized()

  const age = now.getTime() - Date.parse(session.time_created)
  const idle = now.getTime() - Date.parse(session.time_last_used)
  if (age >= settings.sessionAbsoluteMs || idle >= settings.sessionIdleMs) {
    await db.deleteFrom('console_session').where('id', '=', session.id).execute()
    throw fail.unauthorized()
  }
  if (counts && idle >= Math.min(LAST_USED_PRECISION_MS, settings.sessionIdleMs / 10)) {
    await db
      .updateTable('console_session')
      .set({ time_last_used: now.toISOString() })
      .where('id', '=', session.id)
      .execute()
  }
  const actor = await loadActor(db, {
    userId: session.user_id,
    siloId: session.silo_id,
    siloName: session.silo_name,
    mappedFleetRoles: session.mapped_fleet_roles,
  })
  const left = Math.min(settings.sessionAbsoluteMs - age, settings.sessionIdleMs - idle)
  return { actor, until: now.getTime() + Math.min(settings.sessionTrustMs, left) }
}

import { SESSION_COOKIE, SESSION_TOKEN_BYTES } from '@steading/api/rules'
import { loadActor, type Actor } from '../../kernel/authz/actor.ts'
import type { Db, OpenDatabase } from '../../kernel/db/database.ts'
import type { WatchedColumns } from '../../kernel/db/watches.ts'
import { cookieOf, digest, randomToken, secureFlag } from './cookies.ts'
import { fail } from '../../kernel/errors.ts'
import type { ControlPlaneServices } from '../../kernel/services.ts'
import type { Settings } from '../../kernel/settings.ts'

/** The last use of a session is stored at most this often; the idle limit is hours. */
const LAST_USED_PRECISION_MS = 60_000

/** The token of the session that a request belongs to, valid or not. */
export const sessionToken = (request: Request): string | undefined =>
  cookieOf(request, SESSION_COOKIE)

/** The `set-cookie` value of a session; with an empty token, the one that removes the cookie. */
export function sessionCookie(request: Request, token: string, maxAgeMs: number): string {
  return `${SESSION_COOKIE}=${token}; Path=/; HttpOnly; SameSite=Lax;${secureFlag(request)} Max-Age=${Math.floor(maxAgeMs / 1000)}`
}

/**
 * Opens a session.
 * @returns its token, which is stored as a digest, so that a copy of the database opens no session
 */
export async function createSession(db: Db, userId: string, now: Date): Promise<string> {
  const token = randomToken(SESSION_TOKEN_BYTES)
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
  /** How long the entry may be used after it was read, in milliseconds. */
  trustMs: number
}

/** All that {@link authenticate} reads of the database. */
const readColumns: WatchedColumns = {
  console_session: ['token_hash', 'user_id', 'time_created'],
  silo_user: ['silo_id', 'display_name', 'time_deleted'],
  silo: ['name', 'mapped_fleet_roles', 'time_deleted'],
  silo_group_membership: ['group_id', 'user_id'],
  role_assignment: ['resource_type', 'resource_id', 'role_name', 'identity_id'],
}

/** Clears a cache whenever this process has written what its entries were made of. */
export const clearOnChange = ({ watch }: OpenDatabase, { clear }: SessionCache): void =>
  watch(readColumns, clear)

/**
 * A cache of authenticated callers, by token, so that the many calls of a page do not repeat the
 * queries. A write of this process to what they read clears it; changes by other processes take
 * effect after {@link Settings.sessionTrustMs} at the latest.
 */
export interface SessionCache {
  get: (token: string) => Actor | undefined
  /**
   * Reads an entry, and keeps it unless the cache was cleared meanwhile: the entry may have been
   * read before the write that cleared it.
   */
  fill: (token: string, read: () => Promise<Known>) => Promise<Actor>
  clear: () => void
}

const MAX_CACHED = 1_000

/** @param now milliseconds of a clock that never goes back */
export function createSessionCache(now: () => number = () => performance.now()): SessionCache {
  const entries = new Map<string, { actor: Actor; until: number }>()
  let emptied = 0
  return {
    get(token) {
      const entry = entries.get(token)
      return entry && now() < entry.until ? entry.actor : undefined
    },
    async fill(token, read) {
      const [before, began] = [emptied, now()]
      const { actor, trustMs } = await read()
      if (emptied === before) {
        if (entries.size >= MAX_CACHED) entries.clear()
        entries.set(token, { actor, until: began + trustMs })
      }
      return actor
    },
    clear() {
      emptied++
      entries.clear()
    },
  }
}

type AuthenticationParts = Pick<ControlPlaneServices, 'database' | 'settings' | 'sessions'>

/**
 * The user whose session the cookie of a request belongs to.
 * @param counts whether this call counts as a use, which keeps the session from expiring when idle
 * @throws ApiError 401 if there is no cookie, or its session is unknown or expired
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
    sessions.get(token) ??
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
      'user.display_name',
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
    displayName: session.display_name,
    siloId: session.silo_id,
    siloName: session.silo_name,
    mappedFleetRoles: session.mapped_fleet_roles,
  })
  const left = Math.min(settings.sessionAbsoluteMs - age, settings.sessionIdleMs - idle)
  return { actor, trustMs: Math.min(settings.sessionTrustMs, left) }
}

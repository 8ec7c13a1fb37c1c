/** Finds the caller of a request by its session or its token, with a short-lived cache. */
import type { Caller, KnownCaller, ScimCaller, UserCaller } from '../../../kernel/authz/caller.ts'
import type { OpenDatabase } from '../../../kernel/db/database.ts'
import type { WatchedColumns } from '../../../kernel/db/watches.ts'
import { ApiError, fail } from '../../../kernel/errors.ts'
import type { ControlPlaneServices } from '../../../kernel/services.ts'
import { presentedToken, readAccessToken } from '../access-tokens/tokens.ts'
import { presentedScimToken, readScimToken } from '../scim-tokens/tokens.ts'
import { readSession, sessionTokens } from '../sessions/sessions.ts'

/** All columns that {@link authenticate} reads from the database. */
const readColumns: WatchedColumns = {
  console_session: ['token_hash', 'user_id', 'time_created'],
  access_token: ['token_hash', 'user_id', 'time_expires', 'access', 'projects'],
  silo_user: ['silo_id', 'display_name', 'time_deleted', 'time_deactivated', 'is_service'],
  service_account: ['project_id'],
  silo: ['name', 'identity_mode', 'mapped_fleet_roles', 'time_deleted'],
  scim_token: ['token_hash', 'silo_id'],
  silo_group_membership: ['group_id', 'user_id'],
  role_assignment: ['resource_type', 'resource_id', 'role_name', 'identity_id'],
}

/** Clears a cache whenever this process has written the rows of its entries. */
export const clearOnChange = ({ watch }: OpenDatabase, { clear }: CallerCache): void =>
  watch(readColumns, clear)

interface Known {
  caller: Caller
  /** How long the entry may be used after it was read, in milliseconds. */
  trustMs: number
}

/**
 * A cache of authenticated callers by credential, so that the many calls of a page do not repeat
 * the queries. A write of this process to the rows clears it; changes by other processes take
 * effect after `sessionTrustMs` of the settings at the latest.
 */
export interface CallerCache {
  get: (presented: string) => Caller | undefined
  /**
   * Reads an entry, and keeps it unless the cache was cleared meanwhile: the entry may have been
   * read before the write that cleared it.
   */
  fill: (presented: string, read: () => Promise<Known>) => Promise<Caller>
  clear: () => void
}

const MAX_CACHED = 1_000

/** @param now milliseconds of a clock that never goes back */
export function createCallerCache(now: () => number = () => performance.now()): CallerCache {
  const entries = new Map<string, { caller: Caller; until: number }>()
  let emptied = 0
  return {
    get(presented) {
      const entry = entries.get(presented)
      return entry && now() < entry.until ? entry.caller : undefined
    },
    async fill(presented, read) {
      const [before, began] = [emptied, now()]
      const { caller, trustMs } = await read()
      if (emptied === before) {
        if (entries.size >= MAX_CACHED) entries.clear()
        entries.set(presented, { caller, until: began + trustMs })
      }
      return caller
    },
    clear() {
      emptied++
      entries.clear()
    },
  }
}

type AuthenticationParts = Pick<
  ControlPlaneServices,
  'database' | 'settings' | 'callers' | 'outages'
>

/** The use of a credential by a call. */
interface Use {
  /** Whether it is stored; checks of open streams are not. */
  counts: boolean
  /** Undefined if unknown. */
  clientAddress?: string
}

/** A kind of credential in requests, and how to find its caller. */
interface Scheme {
  name: string
  presented: (request: Request) => readonly string[]
  read: (
    parts: AuthenticationParts,
    presented: string,
    now: Date,
    use: Use,
  ) => Promise<KnownCaller | undefined>
}

const asList = (secret: string | undefined): string[] => (secret === undefined ? [] : [secret])

/** In order of precedence. */
const schemes: readonly Scheme[] = [
  {
    name: 'session',
    presented: sessionTokens,
    read: ({ database, settings }, token, now, { counts }) =>
      readSession(database.db, settings, token, now, counts),
  },
  {
    name: 'access token',
    presented: (request) => asList(presentedToken(request)),
    read: ({ database, outages }, token, now, use) =>
      readAccessToken(database.db, token, now, { ...use, outages }),
  },
  {
    name: 'SCIM token',
    presented: (request) => asList(presentedScimToken(request)),
    read: ({ database }, token) => readScimToken(database.db, token),
  },
]

/** @throws the error, unless it says that a credential is unknown or expired */
function unlessUnknown(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.template.status !== 401) throw error
}

/**
 * The caller of a request. The first kind of credential in the request decides, valid or not; of
 * several session cookies, the first valid one.
 * @throws ApiError 401 if there is no credential, or it is unknown or expired
 */
async function callerOf(
  parts: AuthenticationParts,
  request: Request,
  now: Date,
  use: Use,
): Promise<Caller> {
  const { callers, settings } = parts
  for (const { name, presented, read } of schemes) {
    const secrets = presented(request)
    if (secrets.length === 0) continue
    for (const secret of secrets) {
      // The same text has different meanings in a cookie and in a header.
      const key = `${name} ${secret}`
      const filled = async () => {
        const found = await read(parts, secret, now, use)
        if (!found) throw fail.unauthorized()
        const { leftMs, ...caller } = found
        return { caller, trustMs: Math.min(settings.sessionTrustMs, leftMs) }
      }
      const caller = callers.get(key) ?? (await callers.fill(key, filled).catch(unlessUnknown))
      if (caller) return caller
    }
    break
  }
  throw fail.unauthorized()
}

/**
 * The user who makes a request.
 * @param counts whether this call counts as a use, which keeps a session from expiring when idle
 * @param clientAddress stored with the use of an access token
 * @throws ApiError 401 if there is none
 */
export async function authenticate(
  parts: AuthenticationParts,
  request: Request,
  now: Date,
  counts = true,
  clientAddress?: string,
): Promise<UserCaller> {
  const caller = await callerOf(parts, request, now, { counts, clientAddress })
  if (!caller.actor) throw fail.unauthorized()
  return caller
}

/**
 * The identity provider that makes a request.
 * @throws ApiError 401 if there is none
 */
export async function authenticateScim(
  parts: AuthenticationParts,
  request: Request,
  now: Date,
): Promise<ScimCaller> {
  const caller = await callerOf(parts, request, now, { counts: false })
  if (caller.actor) throw fail.unauthorized()
  return caller
}

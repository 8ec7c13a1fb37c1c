/** Limits of the protocol that belong to no single resource (control plane section 12). */
export const PAGE_DEFAULT = 100
export const PAGE_MAX = 10_000
/** Characters. */
export const PAGE_TOKEN_MAX = 512
/** Characters, of the search of a list. */
export const LIST_SEARCH_MAX = 256
/** Characters; tokens of lists that are sorted by a column hold the value of that column. */
export const LIST_TOKEN_MAX = 8192
/** Items up to which a list reports its total. */
export const LIST_COUNT_MAX = 10_000
/** Bytes. */
export const BODY_MAX = 1024 * 1024
/** Bytes of a body that is read for a caller without credentials. */
export const PUBLIC_BODY_MAX = 128 * 1024
/** Bytes, of UTF-8. */
export const PASSWORD_MAX = 512
export const SESSION_COOKIE = 'session'
/** Random bytes in a session token. */
export const SESSION_TOKEN_BYTES = 20
/** Seconds that a silo may let access tokens live at most. */
export const TOKEN_LIFETIME_MAX = 0xffffffff
/** Milliseconds since last use. */
export const SESSION_IDLE_MS = 8 * 60 * 60 * 1000
/** Milliseconds since login. */
export const SESSION_ABSOLUTE_MS = 24 * 60 * 60 * 1000
/** Characters that are kept of what a browser says about itself. */
export const USER_AGENT_MAX = 512
/** Sessions of a user that are shown at most. */
export const SESSIONS_SHOWN_MAX = 1000
export const FLEET_ID = '001de000-1334-4000-8000-000000000000'
export const API_VERSION = '2026081901.0.0'
/** Clients of versions before it read answers of shapes that are no longer served. */
export const OLDEST_API_VERSION = '2026021301.0.0'
/** Bytes of the body that carries a chunk of an import. */
export const BULK_WRITE_BODY_MAX = 8 * 1024 * 1024
/** Streams of events that one user can have open at once, in all browsers. */
export const EVENT_STREAMS_MAX = 64
/** Serial consoles that one user can have open at a server at once. */
export const CONSOLES_MAX = 32
/** Calls of one operation that read and that a server answers for one user at once; others wait. */
export const CALLS_AT_ONCE = 4
/** Calls of one user that may wait for their turn. */
export const CALLS_WAITING_MAX = 1000
export const callMessages = {
  tooManyConsoles: `a user can have ${CONSOLES_MAX} serial consoles open at once`,
  tooManyWaiting: `a user can have ${CALLS_WAITING_MAX} calls waiting at once`,
} as const
/** Milliseconds that events are kept; a follower that was away for longer starts afresh. */
export const EVENTS_KEPT_MS = 24 * 60 * 60 * 1000
/** Milliseconds that the rows of deleted things are kept. */
export const DELETED_KEPT_MS = 7 * 24 * 60 * 60 * 1000
/** Things that a search of the whole silo answers at most. */
export const FIND_MAX = 50
/** Things that a user can star. */
export const STARS_MAX = 100
/** Views of one list that a user, or a project, can have. */
export const VIEWS_MAX = 50
/** Characters. */
export const VIEW_NAME_MAX = 63
/** Characters of the query of a view, and of its columns, as JSON. */
export const VIEW_PART_MAX = 4096
/** How old things are: each word of such a filter, and how many milliseconds are older than that. */
export const ages = {
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
  older: Number.POSITIVE_INFINITY,
} as const satisfies Record<string, number>
export type Age = keyof typeof ages
export const ageWords = Object.keys(ages) as Age[]

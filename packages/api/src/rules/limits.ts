/** Limits that belong to no single resource (those of the protocol: control plane section 12). */
export const PAGE_DEFAULT = 100
export const PAGE_MAX = 10_000
/** Characters. */
export const PAGE_TOKEN_MAX = 512
/** Characters of a list search. */
export const LIST_SEARCH_MAX = 256
/** Characters; tokens of lists sorted by a column contain the value of that column. */
export const LIST_TOKEN_MAX = 8192
/** Elements of a list in a request that has no limit of its own. */
export const LIST_MAX = 1024
/** The same for the parts of one resource, of which there are few. */
export const PARTS_MAX = 64
/** Characters of a short text that has no limit of its own. */
export const SHORT_TEXT_MAX = 512
/** The same for long texts. */
export const LONG_TEXT_MAX = 64 * 1024
/** Characters of a filter of a list: words, names or ids separated by commas. */
export const FILTER_MAX = 8192
/** Characters of a date and time. */
export const DATE_TIME_MAX = 64
/** Maximum total that a list counts. */
export const LIST_COUNT_MAX = 10_000
/** Milliseconds after which a step of the reconciler that has not ended is an issue. */
export const STEP_LIMIT_MS = 10 * 60 * 1000
/** Bytes. */
export const BODY_MAX = 1024 * 1024
/** Bytes of a request body without credentials. */
export const PUBLIC_BODY_MAX = 128 * 1024
/** Bytes, of UTF-8. */
export const PASSWORD_MAX = 512
export const SESSION_COOKIE = 'session'
/** Whether a cookie is set for one port only, besides its plain name: `session-8080`. */
export const isPortCookie = (name: string): boolean => /-\d+$/.test(name)
/**
 * Header of a change with its reason: UTF-8, percent-encoded. A header, because bodies under `/v1`
 * have no property for it.
 */
export const CHANGE_REASON_HEADER = 'x-change-reason'
/** Random bytes in a session token. */
export const SESSION_TOKEN_BYTES = 20
/** Upper limit of a silo's maximum lifetime of access tokens, in seconds. */
export const TOKEN_LIFETIME_MAX = 0xffffffff
/** Milliseconds since last use. */
export const SESSION_IDLE_MS = 8 * 60 * 60 * 1000
/** Milliseconds since login. */
export const SESSION_ABSOLUTE_MS = 24 * 60 * 60 * 1000
/** Characters of a user agent that are kept. */
export const USER_AGENT_MAX = 512
/** Sessions of a user to list at most. */
export const SESSIONS_SHOWN_MAX = 1000
export const FLEET_ID = '001de000-1334-4000-8000-000000000000'
export const API_VERSION = '2026081901.0.0'
/** Bytes of a request body with a chunk of an import. */
export const BULK_WRITE_BODY_MAX = 8 * 1024 * 1024
/** Concurrent event streams of a user, in all browsers. */
export const EVENT_STREAMS_MAX = 64
/** Concurrent consoles of a user per server, serial and graphical ones together. */
export const CONSOLES_MAX = 32
/** Concurrent calls of a read operation per user and server; further ones are queued. */
export const CALLS_AT_ONCE = 4
/** Queued calls per user. */
export const CALLS_WAITING_MAX = 1000
export const callMessages = {
  tooManyConsoles: `a user can have ${CONSOLES_MAX} consoles open at once`,
  tooManyWaiting: `a user can have ${CALLS_WAITING_MAX} calls waiting at once`,
} as const
/** Retention of events in milliseconds; a follower that was away for longer starts afresh. */
export const EVENTS_KEPT_MS = 24 * 60 * 60 * 1000
/** Retention of deleted rows in milliseconds. */
export const DELETED_KEPT_MS = 7 * 24 * 60 * 60 * 1000
/** Maximum number of results of a search of the whole silo. */
export const FIND_MAX = 50
/** Maximum number of stars of a user. */
export const STARS_MAX = 100

/** Places whose first steps a user has dismissed; beyond these, the oldest dismissals go. */
export const DISMISSALS_MAX = 1_000
/** Maximum number of views of one list, for a user or a project. */
export const VIEWS_MAX = 50
/** Characters. */
export const VIEW_NAME_MAX = 63
/** Characters of a view's query and of its columns, as JSON. */
export const VIEW_PART_MAX = 4096
/** Age filters: each word, and the age in milliseconds that it stands for. */
export const ages = {
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
  older: Number.POSITIVE_INFINITY,
} as const satisfies Record<string, number>
export type Age = keyof typeof ages
export const ageWords = Object.keys(ages) as Age[]

/**
 * Time that supervisors give a server for its shutdown, besides `--drain`, before they kill it.
 * Milliseconds.
 */
export const STOP_MS = 10_000

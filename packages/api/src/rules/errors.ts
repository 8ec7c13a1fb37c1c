/**
 * All errors of the control plane, and the templates of their messages (control plane 1.1).
 * Messages about a single resource live with the rules of that resource.
 */
import type { ScimType } from './scim-types.ts'

export interface ErrorTemplate {
  status: number
  error_code?: string
  message: string
}

/** Name of a kind in messages. */
export type ResourceTypeName = string

/** Message for an outdated `if-match`. */
export const RESOURCE_CHANGED =
  'The resource was changed meanwhile: read it again before you change it'

/** Code of the error for a right password without a second factor. */
export const SECOND_FACTOR_REQUIRED = 'SecondFactorRequired'
/** Message of the same 403. */
export const secondFactorRequiredMessage =
  'this user signs in with a second factor: sign in to the console, and use an access token for other programs'

/** Code of the error for a call from a page at another host than the one that is asked for. */
export const OTHER_HOST = 'OtherHost'
/** Message of the same 403. The usual cause is a proxy that changes the header `Host`. */
export const otherHostMessage = (host: string, page: string | undefined): string =>
  `this console is asked for as ${host}, but your browser is at ${page ?? 'another address'}: a proxy has to pass the host on (see "Behind a reverse proxy" in the documentation)`

const make = (status: number, error_code: string | undefined, message: string): ErrorTemplate =>
  error_code === undefined ? { status, message } : { status, error_code, message }

export const errors = {
  notFoundByName: (type: ResourceTypeName, name: string) =>
    make(404, 'ObjectNotFound', `not found: ${type} with name "${name}"`),
  notFoundById: (type: ResourceTypeName, id: string) =>
    make(404, 'ObjectNotFound', `not found: ${type} with id "${id}"`),
  notFoundOther: (text: string) => make(404, 'ObjectNotFound', `not found: ${text}`),
  alreadyExists: (type: ResourceTypeName, name: string) =>
    make(400, 'ObjectAlreadyExists', `already exists: ${type} "${name}"`),
  invalidRequest: (message: string) => make(400, 'InvalidRequest', message),
  invalidValue: (label: string, text: string) =>
    make(400, 'InvalidValue', `unsupported value for "${label}": ${text}`),
  unauthorized: () => make(401, 'Unauthorized', 'credentials missing or invalid'),
  forbidden: (message = 'Forbidden') => make(403, 'Forbidden', message),
  /** The password is right, but not enough. */
  secondFactorRequired: () => make(403, SECOND_FACTOR_REQUIRED, secondFactorRequiredMessage),
  otherHost: (host: string, page: string | undefined) =>
    make(403, OTHER_HOST, otherHostMessage(host, page)),
  /** The client's address is not on the allow list. */
  sourceRefused: () => make(403, 'Forbidden', 'Access from this address is not allowed'),
  conflict: (message: string) => make(409, 'Conflict', message),
  notFoundGeneric: (message: string) => make(404, 'Not Found', message),
  /** A precondition of the client no longer holds. */
  preconditionFailed: () => make(412, 'PreconditionFailed', RESOURCE_CHANGED),
  gone: () => make(410, 'Gone', 'Gone'),
  insufficientCapacity: (text: string) =>
    make(507, 'InsufficientCapacity', `Insufficient capacity: ${text}`),
  notImplemented: (message: string) => make(501, undefined, message),
  unavailable: (reason = 'Service Unavailable') => make(503, 'ServiceNotAvailable', reason),
  internal: () => make(500, 'Internal', 'Internal Server Error'),
  notAcceptable: (message: string) => make(406, 'Not Acceptable', message),
  noRoute: () => make(404, undefined, 'Not Found'),
  methodNotAllowed: () => make(405, undefined, 'Method Not Allowed'),
  /** The request could not be parsed: bad path, query, body or header. */
  badRequest: (message: string) => make(400, undefined, message),
  /** SCIM has its own status for this. */
  bodyTooLarge: (max: number, status: 400 | 413) =>
    make(status, undefined, `request body exceeded maximum size of ${max} bytes`),
  /** The request did not arrive completely in time. */
  requestTimeout: () => make(408, undefined, 'the request did not arrive in time'),
  headersTooLarge: (max: number) =>
    make(431, undefined, `request headers exceeded maximum size of ${max} bytes`),
  notHttp: () => make(400, undefined, 'the request is not valid HTTP'),
  /** An error of SCIM, whose codes classify bad requests. */
  scim: (
    status: 400 | 403 | 404 | 409 | 412 | 501,
    scimType: ScimType | undefined,
    detail: string,
  ) => make(status, scimType, detail),
  /** A byte range beyond the end; only for downloads of contents. */
  rangeNotSatisfiable: () => make(416, undefined, 'Range Not Satisfiable'),
  /** Too many attempts; the only status that the contract does not define. */
  tooManyRequests: (message: string) => make(429, undefined, message),
} as const

/** Message of the 507 while the disk of the database is full. */
export const diskFullMessage =
  "The server's disk is full. Delete what is no longer needed, or ask the operator to free up space."

/** Seconds after which a call that met an outage, or too many others, may be tried again. */
export const RETRY_AFTER_SECONDS = 2
/** Message of the 503 for a write whose commit met an outage. */
export const outcomeUnknownMessage =
  'The connection to the database was lost while this change was being saved, so it may have been made: look before you repeat it'
/** Message of the 503 for a write that was saved, but whose result could not be read. */
export const changeSavedMessage =
  'This change was saved, but then the connection to the database was lost: look at the result instead of repeating it'
/** Message of the 503 when the database cannot read its data. */
export const databaseDamagedMessage =
  "The server's database is damaged, or its disk has failed. Ask the operator to look at the server's log."

export const quotaMessages = {
  cpus: 'vCPU Limit Exceeded: Not enough vCPUs to complete request. Either stop unused instances to free up resources or contact the rack operator to request a capacity increase.',
  memory:
    'Memory Limit Exceeded: Not enough memory to complete request. Either stop unused instances to free up resources or contact the rack operator to request a capacity increase.',
  storage:
    'Storage Limit Exceeded: Not enough storage to complete request. Either remove unneeded disks and snapshots to free up resources or contact the rack operator to request a capacity increase.',
} as const

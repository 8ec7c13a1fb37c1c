import type { ApiErrorBody, ApiResult, MethodName } from '@steading/api/client'
import { bodyProblem, parseResourceError } from '@steading/api/rules'

/** A failed call; its message is shown to the user. */
export class ApiError extends Error {
  readonly operation: MethodName
  readonly statusCode: number
  readonly errorCode: string | undefined
  readonly requestId: string | undefined
  /** The control plane's original message. */
  readonly said: string | undefined
  /** Body of an error without a message for people, such as a failed validation. */
  readonly details: string | undefined

  constructor(
    operation: MethodName,
    message: string,
    statusCode: number,
    errorCode?: string,
    requestId?: string,
    said?: string,
    details?: string,
  ) {
    super(message)
    this.name = 'ApiError'
    this.operation = operation
    this.statusCode = statusCode
    this.errorCode = errorCode
    this.requestId = requestId
    this.said = said
    this.details = details
  }
}

type Failure = Exclude<ApiResult<unknown>, { type: 'success' }>

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/**
 * The kind that already exists: from the control plane's message, or else from the operation's
 * name.
 */
function existingKind(operation: string, message: string): string | undefined {
  const named = parseResourceError(message)
  if (named) return named.type
  const words = operation.split(/(?=[A-Z])/).map((word) => word.toLowerCase())
  const create = words.indexOf('create')
  return create > 0 ? words[create - 1]!.replace(/s$/, '') : undefined
}

const NOT_UNDERSTOOD =
  'The server has answered with something that the console cannot show as a text'

/** Error body of an answer; other control planes may answer in another format. */
function bodyOf(failure: Failure): Partial<ApiErrorBody> {
  const body: unknown = failure.type === 'error' ? failure.data : undefined
  return typeof body === 'object' && body !== null ? body : {}
}

/** Body of a failed call for developers; undefined if it has a message for people. */
function detailsOf(failure: Failure): string | undefined {
  if (failure.type === 'client_error') return undefined
  const { message } = bodyOf(failure)
  if (typeof message === 'string') return /^\s*[[{]/.test(message) ? message : undefined
  // A body with the API's error format but without a message has nothing to show.
  if (message === undefined && bodyOf(failure) === failure.data && !Array.isArray(failure.data)) {
    return undefined
  }
  return JSON.stringify(failure.data, null, 2)
}

export function errorMessage(operation: string, failure: Failure): string {
  if (failure.type === 'client_error') return 'Error reading API response'
  const { message, errorCode } = bodyOf(failure)
  // Most refusals give no reason.
  if (errorCode === 'Forbidden' && (!message || message === errorCode)) {
    return 'Action not authorized'
  }
  if (detailsOf(failure) !== undefined) return NOT_UNDERSTOOD
  if (errorCode === 'ObjectNotFound' && message) return capitalize(message)
  if (errorCode === 'ObjectAlreadyExists') {
    const kind = existingKind(operation, message ?? '')
    if (kind) return `${capitalize(kind)} name already exists`
  }
  if (!message) return 'Unknown server error'
  return capitalize(bodyProblem(message) ?? message)
}

export function toApiError(operation: MethodName, failure: Failure): ApiError {
  const body = bodyOf(failure)
  const details = detailsOf(failure)
  // Even an unreadable answer may name its request.
  const requestId = body.requestId ?? failure.headers.get('x-request-id') ?? undefined
  const message = errorMessage(operation, failure)
  return new ApiError(
    operation,
    details !== undefined && requestId ? `${message} (request ${requestId})` : message,
    failure.status,
    body.errorCode,
    requestId,
    details === undefined ? body.message : undefined,
    details,
  )
}

const NO_ANSWER = 0

/** Message of an unanswered read; removed once the connection is back. */
export const CANNOT_BE_REACHED = 'The server cannot be reached'

/** Error of an unanswered call. */
export function noAnswer(operation: MethodName, reads: boolean, cause?: unknown): ApiError {
  const message = reads
    ? CANNOT_BE_REACHED
    : 'The server did not answer. Check whether the change was made before you try again.'
  const error = new ApiError(operation, message, NO_ANSWER)
  error.cause = cause
  return error
}

/**
 * Error of a call that is not repeated after the session ended: the user did not sign in again,
 * or decided against it.
 */
export const refused = (operation: MethodName): ApiError =>
  new ApiError(operation, 'Your session had ended, so nothing was changed', 401)

/** Whether a call failed without an answer rather than by a refusal. */
export const isNoAnswer = (error: unknown): boolean =>
  error instanceof ApiError && error.statusCode === NO_ANSWER

/** Whether a call failed because the session had ended. */
export const isRefused = (error: unknown): boolean =>
  error instanceof ApiError && error.statusCode === 401

/** Whether the control plane does not understand a call. */
export const isBadRequest = (error: unknown): boolean =>
  error instanceof ApiError && error.statusCode === 400

/** Whether the control plane lacks an operation, like smaller implementations of the API. */
export const isNotOffered = (error: unknown): boolean =>
  error instanceof ApiError && error.statusCode === 501

/** Whether the user's roles do not permit a call. */
export const isForbidden = (error: unknown): boolean =>
  error instanceof ApiError && error.statusCode === 403

/** Whether a call's item does not exist. */
export const isMissing = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.statusCode === 404

const textIn = (data: unknown, key: 'id' | 'name'): string | undefined => {
  const value = (data as Record<string, unknown> | null | undefined)?.[key]
  return typeof value === 'string' ? value : undefined
}

/** An item on the page no longer exists: it was deleted, or the user may not see it any more. */
export class GoneError extends Error {
  readonly operation: MethodName
  readonly id: string | undefined
  readonly thing: string | undefined

  /** @param data the last data of the item */
  constructor({ operation, message }: ApiError, data: unknown) {
    super(message)
    this.name = 'GoneError'
    this.operation = operation
    this.id = textIn(data, 'id')
    this.thing = textIn(data, 'name')
  }
}

/** Message for the user. Errors other than failed calls are for the browser's console. */
export const messageOf = (error: unknown): string =>
  error instanceof ApiError ? error.message : 'Something went wrong'

/** Logs the failure, its operation and its request ID to the browser's console. */
export function logApiError(error: ApiError, expected: boolean): void {
  const details = {
    page: location.pathname,
    operation: error.operation,
    status: error.statusCode,
    requestId: error.requestId,
    code: error.errorCode,
    message: error.message,
    ...(error.details && { details: error.details }),
  }
  if (expected) console.info('API answered', details)
  else console.error('API error', details)
}

/** Leaves the app for the login page, which returns to the current page. */
export function goToLogin({ andBack }: { andBack: boolean }): void {
  const here = encodeURIComponent(location.pathname + location.search)
  location.assign(andBack ? `/login?redirect_uri=${here}` : '/login')
}

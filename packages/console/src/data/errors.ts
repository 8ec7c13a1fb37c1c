import type { ApiResult, MethodName } from '@steading/api/client'
import { bodyProblem, thingOfError } from '@steading/api/rules'

/** A failed call; its message is the one shown to the user. */
export class ApiError extends Error {
  readonly operation: MethodName
  readonly statusCode: number
  readonly errorCode: string | undefined
  readonly requestId: string | undefined
  /** The control plane's own message. */
  readonly said: string | undefined

  constructor(
    operation: MethodName,
    message: string,
    statusCode: number,
    errorCode?: string,
    requestId?: string,
    said?: string,
  ) {
    super(message)
    this.name = 'ApiError'
    this.operation = operation
    this.statusCode = statusCode
    this.errorCode = errorCode
    this.requestId = requestId
    this.said = said
  }
}

type Failure = Exclude<ApiResult<unknown>, { type: 'success' }>

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** What already exists: said by the control plane, else known from the operation's name. */
function thing(operation: string, message: string): string | undefined {
  const said = thingOfError(message)
  if (said) return said.type
  const words = operation.split(/(?=[A-Z])/).map((word) => word.toLowerCase())
  const create = words.indexOf('create')
  return create > 0 ? words[create - 1]!.replace(/s$/, '') : undefined
}

export function errorMessage(operation: string, failure: Failure): string {
  if (failure.type === 'client_error') return 'Error reading API response'
  const { message, errorCode } = failure.data
  if (errorCode === 'Forbidden') return 'Action not authorized'
  if (errorCode === 'ObjectNotFound' && message) return capitalize(message)
  if (errorCode === 'ObjectAlreadyExists') {
    const what = thing(operation, message ?? '')
    if (what) return `${capitalize(what)} name already exists`
  }
  if (!message) return 'Unknown server error'
  return capitalize(bodyProblem(message) ?? message)
}

export function toApiError(operation: MethodName, failure: Failure): ApiError {
  const body = failure.type === 'error' ? failure.data : undefined
  return new ApiError(
    operation,
    errorMessage(operation, failure),
    failure.status,
    body?.errorCode,
    // An answer that could not be read may still say which request it was.
    body?.requestId ?? failure.headers.get('x-request-id') ?? undefined,
    body?.message,
  )
}

/** Logs to the browser's console what failed, where, and under which request ID. */
export function logApiError(error: ApiError, expected: boolean): void {
  const details = {
    page: location.pathname,
    operation: error.operation,
    status: error.statusCode,
    requestId: error.requestId,
    code: error.errorCode,
    message: error.message,
  }
  if (expected) console.info('API answered', details)
  else console.error('API error', details)
}

/** Leaves the app for the login page, which leads back to the current page. */
export function goToLogin({ andBack }: { andBack: boolean }): void {
  const here = encodeURIComponent(location.pathname + location.search)
  location.assign(andBack ? `/login?redirect_uri=${here}` : '/login')
}

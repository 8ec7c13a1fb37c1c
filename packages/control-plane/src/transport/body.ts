import { PUBLIC_BODY_MAX } from '@steading/api/rules'
import { ApiError, fail } from '../kernel/errors.ts'

/** The rest of the body is not read, so the connection cannot be used again. */
const closing = ({ template }: ApiError): ApiError =>
  new ApiError(template, { connection: 'close' })

/** A body of at most this many bytes is always read; sign-in requests are shorter. */
const SMALL = 4 * 1024
/** Limit of the larger bodies without credentials in memory at the same time, in bytes. */
const MAX_HELD = 8 * 1024 * 1024
let held = 0

const lengthOf = ({ headers }: Request): number =>
  headers.has('transfer-encoding') ? PUBLIC_BODY_MAX : Number(headers.get('content-length') ?? 0)

/**
 * Runs work that reads a body without credentials, if it fits in memory beside all other such
 * bodies.
 * @param refusal the error if it does not
 */
export async function holdingBody<T>(
  request: Request,
  refusal: () => ApiError,
  work: () => Promise<T>,
): Promise<T> {
  // A body that is larger than allowed is refused unread.
  const length = Math.min(lengthOf(request), PUBLIC_BODY_MAX)
  if (length <= SMALL) return work()
  if (held + length > MAX_HELD) throw closing(refusal())
  held += length
  try {
    return await work()
  } finally {
    held -= length
  }
}

/**
 * Refuses a caller without credentials whose body is too large to be read without them. A smaller
 * body is read first, because in the contract an error in the body comes before the 401.
 * @param refusal the 401
 * @throws ApiError that 401
 */
export function refuseLargeBody(request: Request, refusal: ApiError): void {
  const unbounded = request.headers.has('transfer-encoding')
  if (unbounded || lengthOf(request) > PUBLIC_BODY_MAX) throw closing(refusal)
}

/**
 * The result of reading a body. A client that disconnects in the middle of it causes a 400, which
 * is not logged.
 * @throws ApiError 400 for an incomplete body
 */
export async function untilCutOff<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw closing(fail.badRequest('request body ended early'))
  }
}

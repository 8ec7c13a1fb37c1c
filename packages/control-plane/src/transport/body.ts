import { PUBLIC_BODY_MAX } from '@steading/api/rules'
import { ApiError, fail } from '../kernel/errors.ts'

/** What is left of the body is not read, so the connection is of no more use. */
const closing = ({ template }: ApiError): ApiError =>
  new ApiError(template, { connection: 'close' })

/** A body of this many bytes is read for anybody: no sign-in is longer. */
const SMALL = 4 * 1024
/** Bytes of larger bodies of strangers that this process holds at a time. */
const MAX_HELD = 8 * 1024 * 1024
let held = 0

const lengthOf = ({ headers }: Request): number =>
  headers.has('transfer-encoding') ? PUBLIC_BODY_MAX : Number(headers.get('content-length') ?? 0)

/**
 * Does work that reads a body of a caller without credentials, if the bodies of all of them
 * together leave room for it.
 * @param refusal for one too many
 */
export async function holdingBody<T>(
  request: Request,
  refusal: () => ApiError,
  work: () => Promise<T>,
): Promise<T> {
  // One that is larger than it may be is refused without being read.
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
 * Refuses a caller without credentials whose body is too large to be held for a stranger. A smaller
 * one is read first: what is wrong with it is told before who calls, as the contract has it.
 * @param refusal the 401
 * @throws ApiError that 401
 */
export function refuseLargeBody(request: Request, refusal: ApiError): void {
  const unbounded = request.headers.has('transfer-encoding')
  if (unbounded || lengthOf(request) > PUBLIC_BODY_MAX) throw closing(refusal)
}

/**
 * What reading a body gives; a client that goes away in the middle of it is its own matter, and no
 * news for the log.
 * @throws ApiError 400 for a body that was cut off
 */
export async function untilCutOff<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw closing(fail.badRequest('request body ended early'))
  }
}

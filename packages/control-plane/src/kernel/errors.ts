import { errors, type ErrorTemplate, RETRY_AFTER_SECONDS } from '@steading/api/rules'

/** An answer other than success, thrown by handlers and turned into a response in one place. */
export class ApiError extends Error {
  readonly template: ErrorTemplate
  readonly headers: Record<string, string>
  /** Values of `set-cookie`. */
  readonly cookies: readonly string[]

  constructor(
    template: ErrorTemplate,
    headers: Record<string, string> = {},
    cookies: readonly string[] = [],
  ) {
    super(template.message)
    this.template = template
    this.headers = headers
    this.cookies = cookies
  }
}

type Kinds = typeof errors
type Failures = { [K in keyof Kinds]: (...args: Parameters<Kinds[K]>) => ApiError }

/** One constructor per kind of error: `throw fail.conflict('…')`. */
export const fail = Object.fromEntries(
  Object.entries(errors).map(([kind, make]) => [
    kind,
    (...args: unknown[]) => new ApiError((make as (...a: unknown[]) => ErrorTemplate)(...args)),
  ]),
) as unknown as Failures

/** The 503 for a condition that passes by itself: the client may repeat the call soon. */
export const unavailableForNow = (reason?: string): ApiError =>
  new ApiError(errors.unavailable(reason), { 'retry-after': String(RETRY_AFTER_SECONDS) })

/** @throws ApiError if a rule of the contract refuses the call */
export function refuseIf(refusal: ErrorTemplate | undefined): void {
  if (refusal) throw new ApiError(refusal)
}

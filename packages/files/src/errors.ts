/** The `code` of a system or driver error, e.g. `EACCES`. */
export function errorCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}

/** The message of a thrown value, on one line. */
export function errorMessage(error: unknown): string {
  // Connecting to a name with several addresses fails with a list of errors and no message.
  const first = error instanceof AggregateError && !error.message ? error.errors[0] : error
  const text = first instanceof Error ? first.message : String(first)
  return text.replaceAll(/\s+/g, ' ').trim()
}

/** Whether an error means that the disk, or the quota of the user on it, is full. */
export const isNoSpace = (error: unknown): boolean =>
  errorCode(error) === 'ENOSPC' || errorCode(error) === 'EDQUOT'

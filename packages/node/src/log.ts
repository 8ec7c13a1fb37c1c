/** How the log is written: for people, or a JSON object in each line, for programs. */
export const logFormats = ['text', 'json'] as const
export type LogFormat = (typeof logFormats)[number]

/** Writes a problem to the log. */
export type Log = (message: string, detail?: unknown) => void

/** An error as JSON, with what caused it. */
function describe(detail: unknown): unknown {
  if (!(detail instanceof Error)) return detail
  const { name, message, stack, cause } = detail
  const { code } = detail as { code?: unknown }
  return { name, message, code, stack, ...(cause !== undefined && { cause: describe(cause) }) }
}

function jsonLine(level: 'info' | 'error', message: string, detail?: unknown): string {
  const entry = { time: new Date().toISOString(), level, message }
  try {
    return JSON.stringify(detail === undefined ? entry : { ...entry, detail: describe(detail) })
  } catch {
    // A detail with a cycle or a large integer.
    return JSON.stringify({ ...entry, detail: String(detail) })
  }
}

/** A problem as a JSON object in one line. */
export const problemLine = (message: string, detail?: unknown): string =>
  jsonLine('error', message, detail)

/** The log of a server. */
export interface ServerLog {
  /** A line with the time on standard error; in the text format the details of an error follow. */
  problem: Log
  /** What the operator waits for, such as the address; on standard output. */
  info: (message: string) => void
}

export const createLog = (format: LogFormat): ServerLog =>
  format === 'json'
    ? {
        problem: (message, detail) => console.error(problemLine(message, detail)),
        info: (message) => console.log(jsonLine('info', message)),
      }
    : {
        problem: (message, detail) =>
          console.error(
            new Date().toISOString(),
            message,
            ...(detail === undefined ? [] : [detail]),
          ),
        info: (message) => console.log(message),
      }

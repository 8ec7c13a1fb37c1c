/** Writes a problem to the log. */
export type Log = (message: string, detail?: unknown) => void

/** Writes a line with the time to standard error, and the details of an error below it. */
export const logToStderr: Log = (message, detail) =>
  console.error(new Date().toISOString(), message, ...(detail === undefined ? [] : [detail]))

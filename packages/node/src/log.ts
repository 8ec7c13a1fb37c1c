/** Where problems are told. */
export type Log = (message: string, detail?: unknown) => void

/** One line with the time to standard error; the details of an error below it. */
export const logToStderr: Log = (message, detail) =>
  console.error(new Date().toISOString(), message, ...(detail === undefined ? [] : [detail]))

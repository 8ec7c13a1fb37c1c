import { Console } from 'node:console'
import { Writable } from 'node:stream'

/** Log formats: text for people, or a JSON object per line for programs. */
export const logFormats = ['text', 'json'] as const
export type LogFormat = (typeof logFormats)[number]

/** Writes a problem to the log. */
export type Log = (message: string, detail?: unknown) => void

/** An error as JSON, including its causes. */
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
    // The detail contains a cycle or a large integer.
    return JSON.stringify({ ...entry, detail: String(detail) })
  }
}

/** The log of a process. */
export interface ServerLog {
  /** Logs a line with the time on standard error; in text format, error details follow. */
  problem: Log
  /** Information that the operator waits for, such as the address; on standard output. */
  info: (message: string) => void
  /** The reason for exiting, in one line on standard error. */
  ends: (message: string) => void
  /** Starts copying each problem as a one-line JSON object. */
  copyProblems: (add: (line: string) => void) => void
}

/** The terminal, even after `logEverything` has replaced the console. */
const terminal = globalThis.console

export function createLog(format: LogFormat): ServerLog {
  let copy: (line: string) => void = () => {}
  const json = format === 'json'
  return {
    problem(message, detail) {
      const line = jsonLine('error', message, detail)
      copy(line)
      if (json) terminal.error(line)
      else {
        const details = detail === undefined ? [] : [detail]
        terminal.error(new Date().toISOString(), message, ...details)
      }
    },
    info: (message) => terminal.log(json ? jsonLine('info', message) : message),
    ends: (message) => terminal.error(json ? jsonLine('error', message) : `steading: ${message}`),
    copyProblems: (add) => void (copy = add),
  }
}

/** A stream that prints each write by one call of a console method. */
const linesTo = (write: (text: string) => void): Writable =>
  new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      write(text.replace(/\n$/, ''))
      done()
    },
  })

/**
 * Redirects other output to the log: of libraries, of Node's warnings, and stacks of uncaught
 * errors, which end the process with 1. Otherwise, programs that read a JSON log would find lines
 * that they cannot parse. Node's output while it aborts, for example when memory runs out, cannot
 * be redirected.
 */
export function logEverything({ problem, info }: ServerLog): void {
  globalThis.console = new Console({
    stdout: linesTo(info),
    stderr: linesTo(problem),
    colorMode: false,
  })
  // Node's own listener prints warnings.
  process.removeAllListeners('warning')
  process.on('warning', (warning) => problem('warning of Node.js', warning))
  // Unhandled rejections arrive here as well.
  process.on('uncaughtException', (error: unknown) => {
    problem('stopped by an unexpected error', error)
    process.exit(1)
  })
}

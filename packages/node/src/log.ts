import { Console } from 'node:console'
import { Writable } from 'node:stream'

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

/** The log of a process. */
export interface ServerLog {
  /** A line with the time on standard error; in the text format the details of an error follow. */
  problem: Log
  /** What the operator waits for, such as the address; on standard output. */
  info: (message: string) => void
  /** Why the program ends, in one line on standard error. */
  ends: (message: string) => void
  /** From now on passes each problem on, as a JSON object in one line. */
  copyProblems: (add: (line: string) => void) => void
}

/** The terminal, also after `logEverything` has put another console in its place. */
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

/** A stream of what is printed; each call of a method of the console is one write. */
const linesTo = (write: (text: string) => void): Writable =>
  new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      write(text.replace(/\n$/, ''))
      done()
    },
  })

/**
 * Sends to the log what would be printed beside it: by libraries, by Node as a warning, and as the
 * stack of an error that nobody has caught, which ends the process with 1. Without this, programs
 * that read a log in JSON find lines that they cannot parse. What Node prints while it aborts, as when
 * memory runs out, is beyond reach.
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
  // Rejections without a handler come here as well.
  process.on('uncaughtException', (error: unknown) => {
    problem('stopped by an unexpected error', error)
    process.exit(1)
  })
}

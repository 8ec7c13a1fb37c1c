import type { System } from './system.ts'

/** State of a shell, besides its machine. */
export interface Session {
  system: System
  cwd: string
  /** Typed lines. */
  history: string[]
  /** Exit status of the last pipeline. */
  status: number
  /** Request to the machine; the shell then ignores keys. */
  wants: 'off' | 'reboot' | 'crash' | undefined
  /** The user has logged out. */
  left: boolean
}

/** A running program. */
export interface Process {
  args: string[]
  session: Session
  system: System
  /** Output of the previous program in the pipeline; undefined at the terminal. */
  input: Iterable<string> | undefined
  /** Whether its output goes to the terminal instead of another program. */
  terminal: boolean
}

/**
 * Yields output in pieces, and returns its exit status: 0 or nothing for success. A program that
 * works without output yields empty pieces, so that others get a turn.
 */
export type Running = Iterator<string, number | void>
export type Run = (process: Process) => Iterable<string, number | void>

export interface Program {
  /** Arguments, as shown by help. */
  usage?: string
  /** Short description. Programs without one are aliases. */
  help?: string
  run: Run
}

export const HOME = '/root'

/** Lines of text that arrives in pieces, without line breaks; undefined where none is complete. */
export function* linesOf(input: Iterable<string>): Iterable<string | undefined> {
  let rest = ''
  for (const piece of input) {
    rest += piece
    let end = rest.indexOf('\n')
    if (end < 0) yield undefined
    for (; end >= 0; end = rest.indexOf('\n')) {
      yield rest.slice(0, end)
      rest = rest.slice(end + 1)
    }
  }
  if (rest) yield rest
}

/** Separates the options of a program from its other arguments: `-la` is `l` and `a`. */
export function optionsOf(args: readonly string[]): { options: Set<string>; rest: string[] } {
  const options = new Set<string>()
  const rest: string[] = []
  let ended = false
  for (const arg of args) {
    if (!ended && arg === '--') ended = true
    else if (!ended && arg.startsWith('--')) options.add(arg.slice(2))
    else if (!ended && arg.startsWith('-') && arg.length > 1) {
      for (const letter of arg.slice(1)) options.add(letter)
    } else rest.push(arg)
  }
  return { options, rest }
}

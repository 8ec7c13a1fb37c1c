import type { System } from './system.ts'

/** What a shell knows, besides its machine. */
export interface Session {
  system: System
  cwd: string
  /** Lines that were typed. */
  history: string[]
  /** The result of the last pipeline. */
  status: number
  /** What was asked of the machine; the shell takes no more keys then. */
  wants: 'off' | 'reboot' | 'crash' | undefined
  /** The user has left the shell. */
  left: boolean
}

/** A program that has been started. */
export interface Process {
  args: string[]
  session: Session
  system: System
  /** What the program before in the pipeline prints; undefined at the terminal. */
  input: Iterable<string> | undefined
  /** Whether its output goes to the terminal, and not to another program. */
  terminal: boolean
}

/**
 * Gives its output piece by piece, and returns its result: 0 or nothing for success. A program that
 * works without printing yields empty pieces, so that others get a turn.
 */
export type Running = Iterator<string, number | void>
export type Run = (process: Process) => Iterable<string, number | void>

export interface Program {
  /** The arguments, as help shows them. */
  usage?: string
  /** What it does, in a few words. Programs without a text are known by another name. */
  help?: string
  run: Run
}

export const HOME = '/root'

/** Lines of text that comes in pieces, without their ends; an empty breath where none is complete. */
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

/** Splits the options of a program from its other arguments: `-la` is `l` and `a`. */
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

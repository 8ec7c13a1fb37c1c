/** Runs a line typed at a shell. */
import { environment } from './environment.ts'
import { absolute, type Entry, find } from './files.ts'
import { filePrograms, withHome } from './file-programs.ts'
import { machinePrograms } from './machine-programs.ts'
import { networkPrograms } from './network-programs.ts'
import { type Command, parseLine, SyntaxProblem, type Word } from './parse.ts'
import { globMatches, isGlob } from './pattern.ts'
import type { Process, Program, Session } from './program.ts'
import { columns } from './sizes.ts'
import { readFile, textPrograms } from './text-programs.ts'

const HINTS = `
Programs can be joined by | ; && || and redirected by < and >.
Tab completes names, the arrows bring back lines, Ctrl+C ends a program.
The file system is read-only. echo c > /proc/sysrq-trigger crashes the machine.
`

const help: Program = {
  help: 'shows this',
  *run() {
    const rows = programNames.flatMap((name) => {
      const { usage = '', help: text } = programs[name]!
      return text ? [[`${name} ${usage}`.trimEnd().padEnd(38), text]] : []
    })
    yield columns(rows)
    yield HINTS
  },
}

const programs: Record<string, Program> = {
  ...textPrograms,
  ...filePrograms,
  ...machinePrograms,
  ...networkPrograms,
  help,
}

/** In alphabetical order. */
export const programNames: readonly string[] = Object.keys(programs).sort()

const textOf = (word: Word): string => word.map(({ char }) => char).join('')

/** Paths matched by a word with `*` or `?`; the word itself if there are none. */
function globbed({ system, cwd }: Session, word: Word): string[] {
  const text = textOf(word)
  if (!isGlob(word)) return [word[0]?.quoted ? text : withHome(text)]
  let found = [text.startsWith('/') ? '/' : '']
  for (let at = 0; at < word.length;) {
    let end = at
    while (end < word.length && word[end]!.char !== '/') end++
    const part = word.slice(at, end)
    at = end + 1
    if (part.length === 0) continue
    found = found.flatMap((base) => {
      const entry: Entry | undefined = find(system.root, absolute(base || '.', cwd))
      if (entry?.kind !== 'directory') return []
      const names = [...entry.entries.keys()].filter(
        (name) => (part[0]!.char === '.' || !name.startsWith('.')) && globMatches(part, name),
      )
      return names
        .sort()
        .map((name) => (base === '' || base.endsWith('/') ? '' : '/') + name)
        .map((name) => base + name)
    })
  }
  return found.length > 0 ? found : [text]
}

/**
 * Opens the target of redirected output.
 * @returns its writer, or an error message
 */
function redirectTo({ system, cwd }: Session, path: string): ((text: string) => void) | string {
  const entry = find(system.root, absolute(path, cwd))
  if (entry?.kind === 'directory') return 'Is a directory'
  if (!entry || !entry.write) return 'Read-only file system'
  return entry.write
}

function* runCommand(
  session: Session,
  { words, input, output }: Command,
  before: Iterable<string> | undefined,
  terminal: boolean,
): Generator<string, number> {
  const [name = '', ...args] = words.flatMap((word) => globbed(session, word))
  const program = Object.hasOwn(programs, name) ? programs[name] : undefined
  if (!program) {
    yield `sh: ${name}: not found\n`
    return 127
  }
  const process: Process = { args, session, system: session.system, input: before, terminal }
  if (input) {
    const path = globbed(session, input)[0]!
    const found = readFile(session, path)
    if ('problem' in found) {
      yield `sh: ${path}: ${found.problem}\n`
      return 1
    }
    process.input = [found.content]
  }
  if (!output) return (yield* program.run(process)) ?? 0
  const path = globbed(session, output)[0]!
  const write = redirectTo(session, path)
  if (typeof write === 'string') {
    yield `sh: ${path}: ${write}\n`
    return 1
  }
  for (const text of program.run({ ...process, terminal: false })) {
    write(text)
    yield ''
  }
  return 0
}

/** Runs a line; the exit status of the last program becomes the session's. */
export function* runLine(session: Session, line: string): Generator<string, void> {
  const value = (name: string) => {
    if (name === '?') return String(session.status)
    const known = environment(session)
    return Object.hasOwn(known, name) ? known[name]! : ''
  }
  try {
    for (const index of parseLine(line, value).keys()) {
      if (session.wants || session.left) return
      // Variables have the values left by earlier commands.
      const { commands, runs } = parseLine(line, value)[index]!
      if (runs === 'after success' && session.status !== 0) continue
      if (runs === 'after failure' && session.status === 0) continue
      let running: Generator<string, number> | undefined
      for (const command of commands) {
        running = runCommand(session, command, running, command === commands.at(-1))
      }
      session.status = yield* running!
    }
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error
    session.status = 2
    yield `sh: syntax error: ${error.message}\n`
  }
}

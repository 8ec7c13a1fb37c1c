import { absolute, find } from './files.ts'
import { withHome } from './file-programs.ts'
import type { Session } from './program.ts'
import { programNames } from './run-line.ts'

export interface Completion {
  /** Unambiguous addition to the line. */
  insert: string
  /** Candidates for the word, if there are several. */
  options: string[]
}

function commonStart(names: readonly string[]): string {
  let common = names[0] ?? ''
  for (const name of names) while (!name.startsWith(common)) common = common.slice(0, -1)
  return common
}

/** Completes the last word of a line: a program, or a path. */
export function complete({ system, cwd }: Session, line: string): Completion {
  const word = /[^\s|;&<>]*$/.exec(line)![0]
  const before = line.slice(0, line.length - word.length).trimEnd()
  const [, program] = /(?:^|[|;&])\s*(\S+)[^|;&]*$/.exec(before) ?? []
  const isProgram = program === undefined && !word.includes('/')
  const slash = word.lastIndexOf('/') + 1
  const start = word.slice(slash)
  let options: string[]
  if (isProgram) options = [...programNames]
  else {
    const entry = find(system.root, absolute(withHome(word.slice(0, slash)), cwd))
    const entries = entry?.kind === 'directory' ? [...entry.entries] : []
    options = entries
      .filter(
        ([name, { kind }]) =>
          (kind === 'directory' || program !== 'cd') &&
          (start.startsWith('.') || !name.startsWith('.')),
      )
      .map(([name, { kind }]) => (kind === 'directory' ? `${name}/` : name))
      .sort()
  }
  options = options.filter((name) => name.startsWith(start))
  const insert = commonStart(options).slice(start.length)
  if (options.length !== 1) return { insert, options }
  return { insert: options[0]!.endsWith('/') ? insert : `${insert} `, options: [] }
}

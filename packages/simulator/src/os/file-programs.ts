/** Programs about the file tree. */
import { absolute, type Entry, find } from './files.ts'
import { HOME, optionsOf, type Process, type Program } from './program.ts'
import { columns, human, sideBySide } from './sizes.ts'
import { dateText, type System, USER } from './system.ts'

const letters: Record<Entry['kind'], string> = {
  directory: 'd',
  file: '-',
  'block device': 'b',
  'character device': 'c',
}

function permissions({ kind, mode }: Entry): string {
  const bits = [8, 7, 6, 5, 4, 3, 2, 1, 0].map((bit) =>
    mode & (1 << bit) ? 'rwx'[(8 - bit) % 3]! : '-',
  )
  if (mode & 0o1000) bits[8] = mode & 1 ? 't' : 'T'
  return letters[kind] + bits.join('')
}

const encoder = new TextEncoder()
const sizeOf = (entry: Entry): number =>
  entry.kind === 'directory' ? 4096 : encoder.encode(entry.read()).length

function longList(system: System, entries: [string, Entry][], readable: boolean): string {
  // `Sun Nov 22 09:25:31 UTC 2026` → `Nov 22 09:25`
  const date = dateText(system.clock.upSince()).slice(4, 16)
  const rows = entries.map(([name, entry]) => [
    permissions(entry),
    String(entry.kind === 'directory' ? 2 + directoriesIn(entry) : 1),
    entry.owner,
    entry.owner,
    readable ? human(sizeOf(entry)) : String(sizeOf(entry)),
    date,
    name,
  ])
  return columns(rows, [1, 4])
}

const directoriesIn = (entry: Entry): number =>
  entry.kind === 'directory'
    ? [...entry.entries.values()].filter(({ kind }) => kind === 'directory').length
    : 0

function* ls({ args, session, system, terminal }: Process) {
  const { options, rest } = optionsOf(args)
  const hidden = options.has('a') || options.has('A')
  const print = (entries: [string, Entry][]) => {
    if (options.has('l')) return longList(system, entries, options.has('h'))
    const names = entries.map(([name]) => name)
    return terminal && !options.has('1')
      ? sideBySide(names)
      : names.map((name) => `${name}\n`).join('')
  }
  const contents = (path: string, entry: Entry): [string, Entry][] => {
    if (entry.kind !== 'directory') return [[path, entry]]
    const all = [...entry.entries].filter(([name]) => hidden || !name.startsWith('.'))
    all.sort(([a], [b]) => (a < b ? -1 : 1))
    const above = find(system.root, absolute(`${path}/..`, session.cwd)) ?? entry
    return options.has('a') ? [['.', entry], ['..', above], ...all] : all
  }
  const files: [string, Entry][] = []
  const directories: [string, Entry][] = []
  let failed = false
  for (const path of rest.length > 0 ? rest : ['.']) {
    const entry = find(system.root, absolute(path, session.cwd))
    if (!entry) {
      failed = true
      yield `ls: ${path}: No such file or directory\n`
    } else if (entry.kind === 'directory' && !options.has('d')) directories.push([path, entry])
    else files.push([path, entry])
  }
  if (files.length > 0) yield print(files)
  for (const [index, [path, entry]] of directories.entries()) {
    if (rest.length > 1) yield `${files.length + index > 0 ? '\n' : ''}${path}:\n`
    yield print(contents(path, entry))
  }
  return failed ? 1 : 0
}

function* cd({ args: [to = HOME], session, system }: Process) {
  const path = absolute(to === '-' ? HOME : to, session.cwd)
  const entry = find(system.root, path)
  if (entry?.kind === 'directory') {
    session.cwd = path
    return 0
  }
  yield `sh: cd: ${to}: ${entry ? 'Not a directory' : 'No such file or directory'}\n`
  return 1
}

function* pwd({ session }: Process) {
  yield `${session.cwd}\n`
}

const paths = { '~': HOME, [`~${USER}`]: `/home/${USER}` }
/** Replaces a user's home directory at the start of a path by `~`. */
export function withHome(word: string): string {
  const [user] = /^~[^/]*/.exec(word) ?? []
  const home = user === undefined ? undefined : (paths as Record<string, string>)[user]
  return home === undefined ? word : home + word.slice(user!.length)
}

export const filePrograms: Record<string, Program> = {
  cd: { usage: '[DIRECTORY]', help: 'changes the directory', run: cd },
  ls: { usage: '[-1adhl] [PATH]...', help: 'lists files', run: ls },
  pwd: { help: 'prints the current directory', run: pwd },
}

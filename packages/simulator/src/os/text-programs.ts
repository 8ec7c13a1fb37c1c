/** Programs that print, or process the text of files and of other programs. */
import { absolute, find } from './files.ts'
import { compilePattern, PatternError } from './pattern.ts'
import { linesOf, optionsOf, type Process, type Program, type Session } from './program.ts'

/** @returns the content of a file, or an error message */
export function readFile(
  { system, cwd }: Session,
  path: string,
): { content: string } | { problem: string } {
  const entry = find(system.root, absolute(path, cwd) + (path.endsWith('/') ? '/' : ''))
  if (!entry) return { problem: 'No such file or directory' }
  if (entry.kind === 'directory') return { problem: 'Is a directory' }
  return { content: entry.read() }
}

type Source = { name: string; text: Iterable<string> }

/** Files named in the arguments, or else the output of the previous program. */
function* sourcesOf(
  program: string,
  { input, session }: Process,
  names: readonly string[],
): Generator<string, { sources: Source[]; failed: boolean }> {
  const sources: Source[] = []
  let failed = false
  if (names.length === 0 && !input) {
    yield `${program}: reading from the terminal is not supported\n`
    return { sources, failed: true }
  }
  if (names.length === 0) sources.push({ name: '-', text: input! })
  for (const name of names) {
    const found = name === '-' && input ? input : readFile(session, name)
    if ('problem' in found) {
      failed = true
      yield `${program}: ${name}: ${found.problem}\n`
    } else sources.push({ name, text: 'content' in found ? [found.content] : found })
  }
  return { sources, failed }
}

function* cat(process: Process) {
  const { options, rest } = optionsOf(process.args)
  const { sources, failed } = yield* sourcesOf('cat', process, rest)
  let number = 0
  for (const { text } of sources) {
    if (!options.has('n')) yield* text
    else {
      for (const line of linesOf(text)) {
        yield line === undefined ? '' : `${String(++number).padStart(6)}\t${line}\n`
      }
    }
  }
  return failed ? 1 : 0
}

function* grep(process: Process) {
  const { options, rest } = optionsOf(process.args)
  const [pattern, ...names] = rest
  if (pattern === undefined) {
    yield 'usage: grep [-civnEFq] PATTERN [FILE]...\n'
    return 2
  }
  let matches: (text: string) => boolean
  try {
    matches = compilePattern(pattern, {
      ignoreCase: options.has('i'),
      fixed: options.has('F'),
      extended: options.has('E'),
    })
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    yield `grep: ${error.message}\n`
    return 2
  }
  const { sources, failed } = yield* sourcesOf('grep', process, names)
  let found = false
  for (const { name, text } of sources) {
    const prefix = names.length > 1 ? `${name}:` : ''
    let number = 0
    let count = 0
    for (const line of linesOf(text)) {
      if (line !== undefined) number++
      if (line === undefined || matches(line) === options.has('v')) {
        yield ''
        continue
      }
      found = true
      count++
      if (options.has('q')) return 0
      yield options.has('c') ? '' : `${prefix}${options.has('n') ? `${number}:` : ''}${line}\n`
    }
    if (options.has('c')) yield `${prefix}${count}\n`
  }
  return failed ? 2 : found ? 0 : 1
}

/**
 * Reads `-n 3`, `-n3` and `-3`.
 * @returns undefined for an invalid number
 */
function countOf(args: readonly string[]): { count: number; names: string[] } | undefined {
  let count = 10
  const names: string[] = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!
    const given = arg === '-n' ? args[++at] : /^-n?(\d+)$/.exec(arg)?.[1]
    if (given === undefined && arg.startsWith('-')) return undefined
    if (given === undefined) names.push(arg)
    else if (/^\d{1,9}$/.test(given)) count = Number(given)
    else return undefined
  }
  return { count, names }
}

function* head(process: Process) {
  const wanted = countOf(process.args)
  if (!wanted) {
    yield 'usage: head [-n LINES] [FILE]...\n'
    return 2
  }
  const { sources, failed } = yield* sourcesOf('head', process, wanted.names)
  for (const { name, text } of sources) {
    if (wanted.names.length > 1) yield `==> ${name} <==\n`
    let left = wanted.count
    if (left === 0) continue
    for (const line of linesOf(text)) {
      yield line === undefined ? '' : `${line}\n`
      if (line !== undefined && --left === 0) break
    }
  }
  return failed ? 1 : 0
}

/** Maximum number of lines that `tail` keeps. */
const MAX_TAIL = 10_000

function* tail(process: Process) {
  const wanted = countOf(process.args)
  if (!wanted) {
    yield 'usage: tail [-n LINES] [FILE]...\n'
    return 2
  }
  const count = Math.min(wanted.count, MAX_TAIL)
  const { sources, failed } = yield* sourcesOf('tail', process, wanted.names)
  for (const { name, text } of sources) {
    if (wanted.names.length > 1) yield `==> ${name} <==\n`
    let last: string[] = []
    for (const line of linesOf(text)) {
      if (line !== undefined) last.push(line)
      if (last.length > 2 * MAX_TAIL) last = last.slice(-MAX_TAIL)
      yield ''
    }
    for (const line of count === 0 ? [] : last.slice(-count)) yield `${line}\n`
  }
  return failed ? 1 : 0
}

function* wc(process: Process) {
  const { options, rest } = optionsOf(process.args)
  const { sources, failed } = yield* sourcesOf('wc', process, rest)
  const encoder = new TextEncoder()
  const total = { l: 0, w: 0, c: 0 }
  const shown = (['l', 'w', 'c'] as const).filter(
    (letter) => options.size === 0 || options.has(letter),
  )
  const print = (count: typeof total, name: string) =>
    `${shown.map((letter) => String(count[letter]).padStart(shown.length > 1 ? 7 : 0)).join(' ')}${name === '-' ? '' : ` ${name}`}\n`
  for (const { name, text } of sources) {
    const count = { l: 0, w: 0, c: 0 }
    let inWord = false
    for (const piece of text) {
      count.c += encoder.encode(piece).length
      for (const char of piece) {
        if (char === '\n') count.l++
        const space = char.trim() === ''
        if (!space && !inWord) count.w++
        inWord = !space
      }
      yield ''
    }
    for (const letter of shown) total[letter] += count[letter]
    yield print(count, name)
  }
  if (sources.length > 1) yield print(total, 'total')
  return failed ? 1 : 0
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', e: '\x1b', '\\': '\\' }
const unescaped = (text: string) =>
  text.replaceAll(/\\(?:x([0-9a-f]{1,2})|(.))/gi, (whole, hex?: string, letter = '') =>
    hex ? String.fromCharCode(Number.parseInt(hex, 16)) : (escapes[letter] ?? whole),
  )

function* printf({ args: [format = '', ...values] }: Process) {
  if (!/%[sd%]/.test(format)) {
    yield unescaped([format, ...values].join(' '))
    return
  }
  // The format is reused until all values are printed.
  do {
    yield unescaped(format).replaceAll(/%([sd%])/g, (_, letter: string) => {
      if (letter === '%') return '%'
      const value = values.shift()
      return letter === 's' ? (value ?? '') : String(Math.trunc(Number(value ?? 0)) || 0)
    })
  } while (values.length > 0 && /%[sd]/.test(format))
}

function* echo({ args }: Process) {
  const words = [...args]
  let end = '\n'
  let escaped = false
  for (; /^-[ne]+$/.test(words[0] ?? ''); words.shift()) {
    if (words[0]!.includes('n')) end = ''
    if (words[0]!.includes('e')) escaped = true
  }
  const text = words.join(' ')
  yield (escaped ? unescaped(text) : text) + end
}

function* seq({ args }: Process) {
  const numbers = args.map(Number)
  if (![1, 2].includes(args.length) || !numbers.every(Number.isSafeInteger)) {
    yield 'usage: seq [FIRST] LAST\n'
    return 1
  }
  const last = numbers.at(-1)!
  for (let n = args.length === 2 ? numbers[0]! : 1; n <= last; n++) yield `${n}\n`
}

function* yes({ args }: Process): Iterable<string> {
  const line = `${args.join(' ') || 'y'}\n`
  for (;;) yield line
}

export const textPrograms: Record<string, Program> = {
  cat: { usage: '[-n] FILE...', help: 'prints files', run: cat },
  echo: { usage: '[-ne] TEXT', help: 'prints a line', run: echo },
  grep: { usage: '[-civnEFq] PATTERN [FILE]...', help: 'finds lines that match', run: grep },
  head: { usage: '[-n LINES] [FILE]...', help: 'prints the first lines', run: head },
  printf: { usage: 'FORMAT [VALUE]...', help: String.raw`knows \n \t \e \xHH %s %d`, run: printf },
  seq: { usage: '[FIRST] LAST', help: 'counts, a line for each number', run: seq },
  tail: { usage: '[-n LINES] [FILE]...', help: 'prints the last lines', run: tail },
  wc: { usage: '[-lwc] [FILE]...', help: 'counts lines, words and bytes', run: wc },
  yes: { usage: '[TEXT]', help: 'repeats a line until Ctrl+C', run: yes },
}

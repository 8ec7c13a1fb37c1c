/** The programs of a simulated guest. Each gives its output piece by piece; some never end. */
type Command = (args: string[]) => Iterable<string>

const HELP = [
  'seq [FIRST] LAST   counts, a line for each number',
  'yes [TEXT]         says it again and again; Ctrl+C ends it',
  'printf FORMAT      says it once; knows \\n \\r \\t \\e \\\\ and \\xHH',
  'poweroff           shuts the machine down',
  'reboot             boots the machine again',
  'help               shows this',
]

function* seq(args: string[]): Iterable<string> {
  const numbers = args.map(Number)
  if (![1, 2].includes(args.length) || !numbers.every(Number.isSafeInteger)) {
    yield 'usage: seq [FIRST] LAST\r\n'
    return
  }
  const last = numbers.at(-1)!
  for (let n = args.length === 2 ? numbers[0]! : 1; n <= last; n++) yield `${n}\r\n`
}

function* yes(args: string[]): Iterable<string> {
  const line = `${args.join(' ') || 'y'}\r\n`
  for (;;) yield line
}

const escapes: Record<string, string> = { n: '\r\n', r: '\r', t: '\t', e: '\x1b', '\\': '\\' }

function* printf(args: string[]): Iterable<string> {
  const format = args.join(' ').replace(/^(['"])(.*)\1$/, '$2')
  yield format.replaceAll(/\\(?:x([0-9a-f]{1,2})|(.))/gi, (whole, hex?: string, letter = '') =>
    hex ? String.fromCharCode(Number.parseInt(hex, 16)) : (escapes[letter] ?? whole),
  )
}

const commands: Record<string, Command> = {
  seq,
  yes,
  printf,
  help: () => HELP.map((line) => `${line}\r\n`),
}

/** What a line asks of the machine, if it is such a command. */
export const wantOf = (line: string): 'off' | 'reboot' | undefined =>
  line.trim() === 'poweroff' ? 'off' : line.trim() === 'reboot' ? 'reboot' : undefined

/** Starts the command of a line that was typed at the prompt; undefined for an empty line. */
export function startCommand(line: string): Iterator<string> | undefined {
  const [name, ...args] = line.trim().split(/\s+/)
  if (!name) return undefined
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  return (command?.(args) ?? [`sh: ${name}: not found\r\n`])[Symbol.iterator]()
}

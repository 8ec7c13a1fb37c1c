/** Commands that only read, several at a time, because reaching a host may take longer than they do. */
import { type HostShell, quoted } from '@steading/commands/host-shell'
import type { UplinkHost } from './hosts.ts'

/** What a command has written, and how it ended. */
export interface Reply {
  output: string
  status: number
}

/** Begins and ends the status after the output of each command. */
const MARKER = '\u001E'
/** Programs of administrators, and FRR's own. */
export const WITH_PATH = 'PATH="$PATH:/usr/sbin:/sbin:/usr/lib/frr"; export PATH'

/**
 * Asks a host by some commands.
 * @param ms for all of them
 * @throws CommandError if the host does not answer
 */
export async function ask(
  shell: HostShell,
  commands: readonly (readonly string[])[],
  ms: number,
): Promise<Reply[]> {
  const lines = commands.map(
    (words) => `${words.map(quoted).join(' ')} 2>&1; printf '\\036%s\\036' "$?"`,
  )
  const script = [WITH_PATH, ...lines].join('\n')
  const parts = (await shell.run('sh', ['-c', script], { ms })).split(MARKER)
  return commands.map((_, at) => ({
    output: parts[2 * at] ?? '',
    status: Number(parts[2 * at + 1] ?? 1),
  }))
}

const ofSpace = ({ frr }: UplinkHost): string[] => (frr === undefined ? [] : ['-N', frr])

/** A command of FRR's shell. */
export const vtysh = (host: UplinkHost, command: string): string[] => [
  'vtysh',
  ...ofSpace(host),
  '-c',
  command,
]

/** A command of the host's lldpd. */
export const lldpcli = (socket: string, ...words: string[]): string[] => [
  'lldpcli',
  '-u',
  socket,
  ...words,
]

/** Lets FRR take a configuration from the standard input, as a whole. */
export const reload = (host: UplinkHost): string =>
  [
    WITH_PATH,
    'umask 077',
    // It has keys of peers, and so has what the program writes.
    `file=$(mktemp) && trap 'rm -f "$file" "$file.log"' EXIT && cat >"$file" || exit`,
    `frr-reload.py ${ofSpace(host).map(quoted).join(' ')} --reload --stdout "$file" >"$file.log" 2>&1 && exit`,
    'status=$?',
    `grep -a 'ERROR\\|Error\\|not found' "$file.log" | tail -n 3 >&2`,
    'exit "$status"',
  ].join('\n')

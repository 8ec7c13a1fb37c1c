/** Commands of a host: of this one, or of another one by `ssh`. */
import { CommandError, type CommandOptions, runCommand } from './index.ts'

/** Runs the commands of one host. */
export interface HostShell {
  /** The host, for messages: `this host`, or the address of `ssh`. */
  host: string
  /**
   * Runs a command, and answers what it writes. The command and all that it started are killed when
   * its time is over, also on another host.
   * @throws CommandError with its last words
   */
  run: (command: string, args: readonly string[], options: CommandOptions) => Promise<string>
}

/** A host that is reached by `ssh`. */
export interface SshAddress {
  host: string
  user?: string
  port?: number
  /** File with the private key, instead of those of the user. */
  key?: string
}

/** Seconds in which `ssh` has to connect. */
const CONNECT_SECONDS = 5
/** Milliseconds for what surrounds a command. */
const MARGIN_MS = 2_000
/** Exit code of `timeout` if the time of the command was over. */
const OVER = 124
/** Exit code of `ssh` if it could not run the command. */
const UNREACHED = 255

/**
 * Arguments of an `ssh` that asks for nothing.
 * @param options further ones
 */
export const sshArguments = (
  { host, user, port, key }: SshAddress,
  options: readonly string[] = [],
): string[] => [
  '-T',
  '-o',
  'BatchMode=yes',
  '-o',
  `ConnectTimeout=${CONNECT_SECONDS}`,
  ...options,
  ...(port === undefined ? [] : ['-p', String(port)]),
  ...(user === undefined ? [] : ['-l', user]),
  ...(key === undefined ? [] : ['-i', key]),
  // The rest are no options.
  '--',
  host,
]

/** A word that a shell takes as it is. */
export const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

/** `timeout` ends the whole group of processes; nothing else could on another host. */
const limited = (command: string, args: readonly string[], ms: number): string[] => [
  'timeout',
  '-k',
  '1',
  String(ms / 1000),
  command,
  ...args,
]

/** The words for a command that failed: of those that it was given, only the first. */
function failure(error: unknown, host: string, command: string, ms: number): unknown {
  if (!(error instanceof CommandError)) return error
  const { code } = error.cause as { code?: unknown }
  const words = error.message.replace(/^[^:]*: /, '')
  const reason =
    code === OVER
      ? `no end in ${ms / 1000} s`
      : words.startsWith('Command failed')
        ? `it failed (${code})`
        : words
  return new CommandError(`${host}: ${code === UNREACHED ? 'ssh' : command}: ${reason}`, {
    cause: error.cause,
  })
}

/** The commands of this host. */
export const localShell: HostShell = {
  host: 'this host',
  async run(command, args, { ms, input }) {
    const [timeout, ...rest] = limited(command, args, ms)
    try {
      return await runCommand(timeout!, rest, { ms: ms + MARGIN_MS, input })
    } catch (error) {
      throw failure(error, 'this host', command, ms)
    }
  },
}

const nameOf = ({ host, user, port }: SshAddress): string => {
  const place = host.includes(':') ? `[${host}]` : host
  return `ssh://${user === undefined ? '' : `${user}@`}${place}${port === undefined ? '' : `:${port}`}`
}

/**
 * The commands of another host, by the `ssh` of this one with its keys and known hosts. It asks for
 * nothing.
 * @param config its configuration file, instead of that of the user
 */
export function sshShell(address: SshAddress, config?: string): HostShell {
  const name = nameOf(address)
  const options = sshArguments(address, config === undefined ? [] : ['-F', config])
  return {
    host: name,
    async run(command, args, { ms, input }) {
      // `ssh` joins words by spaces, and the shell of the user reads them.
      const line = limited(command, args, ms).map(quoted).join(' ')
      const limit = ms + CONNECT_SECONDS * 1000 + MARGIN_MS
      try {
        return await runCommand('ssh', [...options, line], { ms: limit, input })
      } catch (error) {
        throw failure(error, name, command, ms)
      }
    },
  }
}

/** An address of `ssh`, as `ssh://user@host:22`; undefined if the text is none. */
export function sshAddress(text: string): SshAddress | undefined {
  const found =
    /^ssh:\/\/(?:(?<user>[a-z_][a-z0-9_.-]*)@)?(?:\[(?<v6>[0-9a-f:.]+)\]|(?<host>[a-z0-9][a-z0-9.-]*))(?::(?<port>\d{1,5}))?$/i.exec(
      text,
    )
  if (!found) return undefined
  const { user, v6, host, port } = found.groups!
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return undefined
  return {
    host: (v6 ?? host)!,
    ...(user === undefined ? {} : { user }),
    ...(port === undefined ? {} : { port: Number(port) }),
  }
}

/**
 * The shell of a host that an operator names.
 * @param text `local`, or an address of `ssh`
 * @returns undefined if the text names none
 */
export function hostShell(text: string): HostShell | undefined {
  if (text === 'local') return localShell
  const address = sshAddress(text)
  return address && sshShell(address)
}

/** Commands of this machine, with a limit of time and of output. */
import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'

/** Bytes that a command may write: the routes to some 100,000 addresses. */
const OUTPUT_MAX = 16 * 2 ** 20

/** Where Debian has commands that ordinary users do not have in their path. */
const adminFolders = ['/usr/sbin', '/sbin']

/** The folders in which commands are looked for. */
const searchPath = (env: NodeJS.ProcessEnv): string[] => [
  ...new Set([...(env.PATH ?? '').split(':').filter((folder) => folder !== ''), ...adminFolders]),
]

/** The environment of commands: nothing of ours gets there by accident. */
export function plainEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const kept = ['HOME', 'USER', 'LOGNAME', 'XDG_RUNTIME_DIR', 'SSH_AUTH_SOCK']
  const entries = kept.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))
  return { ...Object.fromEntries(entries), PATH: searchPath(env).join(':'), LANG: 'C.UTF-8' }
}

/** Whether a command is installed, also among those of administrators. */
export async function hasCommand(name: string): Promise<boolean> {
  for (const folder of searchPath(process.env)) {
    const found = access(join(folder, name), constants.X_OK).then(
      () => true,
      () => false,
    )
    if (await found) return true
  }
  return false
}

export class CommandError extends Error {
  override name = 'CommandError'
  /** Its standard output. */
  readonly output: string

  constructor(message: string, { output = '', ...options }: ErrorOptions & { output?: string }) {
    super(message, options)
    this.output = output
  }
}

export interface CommandOptions {
  /** It is killed after this time. Milliseconds. */
  ms: number
  /** For its standard input; nothing by default. */
  input?: string
  /** Further variables of its environment: passwords, which everybody could read in its arguments. */
  secrets?: Readonly<Record<string, string>>
}

/**
 * Runs a command, and answers what it writes.
 * @throws CommandError with its last words
 */
export function runCommand(
  command: string,
  args: readonly string[],
  { ms, input, secrets }: CommandOptions,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const child = execFile(
    command,
    args,
    {
      env: { ...plainEnvironment(), ...secrets },
      timeout: ms,
      killSignal: 'SIGKILL',
      maxBuffer: OUTPUT_MAX,
    },
    (error, output, complaint) => {
      if (!error) return resolve(output)
      const words = complaint.trim() || (error.killed ? `no end in ${ms / 1000} s` : error.message)
      reject(new CommandError(`${command}: ${words}`, { cause: error, output }))
    },
  )
  // It may have ended without reading.
  child.stdin!.on('error', () => {})
  child.stdin!.end(input)
  return promise
}

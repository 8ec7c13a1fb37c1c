/** Commands of the host of machines. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Runs a command there, and returns its output. */
export type Run = (command: string, ...args: string[]) => Promise<string>

/** Milliseconds for one command. */
const COMMAND_MS = 30_000
/** Bytes of one output: the routes to some 100,000 addresses. */
const OUTPUT_MAX = 16 * 2 ** 20

/** Ordinary users do not find the commands of administrators otherwise. */
export const commandPath = [process.env.PATH, '/usr/sbin', '/sbin'].filter(Boolean).join(':')

const execute = promisify(execFile)

/** Runs commands on this host. */
export const runHere: Run = async (command, ...args) => {
  const { stdout } = await execute(command, args, {
    env: { ...process.env, PATH: commandPath, LC_ALL: 'C' },
    timeout: COMMAND_MS,
    killSignal: 'SIGKILL',
    maxBuffer: OUTPUT_MAX,
  })
  return stdout
}

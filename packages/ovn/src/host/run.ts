/** Commands of the host of machines. */
import { runCommand } from '@steading/commands'

/** Runs a command there, and returns its output. */
export type Run = (command: string, ...args: string[]) => Promise<string>

/** Milliseconds for one command. */
const COMMAND_MS = 30_000

/** Runs commands on this host. */
export const runHere: Run = (command, ...args) => runCommand(command, args, { ms: COMMAND_MS })

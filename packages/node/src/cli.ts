import type { FirstCredentials } from '@steading/control-plane'
import { helpText, logFormatOf, readConfig, type ServerConfig } from './config.ts'
import { StartError } from './errors.ts'
import { createLog, logEverything, type ServerLog } from './log.ts'
import type { Server } from './server.ts'

/**
 * A shutdown that takes longer is cut off, because supervisors kill the process after five seconds
 * or more.
 */
const SHUTDOWN_MS = 4_500
/**
 * Ctrl-C under npm arrives twice, from the terminal and from npm; only a signal after this time
 * counts as a second one.
 */
const SAME_SIGNAL_MS = 1_000

function stopOnSignals(server: Server, drainMs: number, log: ServerLog): void {
  let began: number | undefined
  const stop = async (): Promise<void> => {
    if (began !== undefined) {
      // The user has asked a second time.
      if (performance.now() - began > SAME_SIGNAL_MS) process.exit(1)
      return
    }
    began = performance.now()
    setTimeout(() => {
      log.ends('shutdown took too long; stopped without finishing')
      process.exit(1)
    }, drainMs + SHUTDOWN_MS).unref()
    try {
      await server.close()
    } catch (error) {
      log.problem('shutdown failed', error)
      process.exit(1)
    }
    process.exit(0)
  }
  process.on('SIGTERM', () => void stop())
  process.on('SIGINT', () => void stop())
}

const firstStart = ({ silo, user, password }: FirstCredentials): string =>
  `First start: sign in to silo "${silo}" as "${user}" with the password ${password} (shown only now)`

/** A command that runs to its end, instead of a server. */
interface Command {
  /** What stands before the options, as the help calls it. */
  operands: readonly string[]
  example: string
  run: (config: ServerConfig, operands: readonly string[]) => Promise<void>
}

/** Their code is loaded when they run. */
const commands: Record<string, Command> = {
  'reset-password': {
    operands: ['silo', 'user'],
    example: 'main admin',
    async run(config, [silo, user]) {
      const { runResetPassword } = await import('./reset-password.ts')
      await runResetPassword(config, silo!, user!)
    },
  },
  backup: {
    operands: ['file'],
    example: 'steading.backup',
    async run(config, [file]) {
      const { runBackup } = await import('./backup/backup.ts')
      await runBackup(config, file!)
    },
  },
  restore: {
    operands: ['file'],
    example: 'steading.backup',
    async run(config, [file]) {
      const { runRestore } = await import('./backup/restore.ts')
      await runRestore(config, file!)
    },
  },
  verify: {
    operands: ['file'],
    example: 'steading.backup',
    async run(config, [file]) {
      const { runVerify } = await import('./backup/restore.ts')
      await runVerify(config, file!)
    },
  },
}

async function runCommand(
  name: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const { operands, example, run } = commands[name]!
  const given = args.slice(0, operands.length)
  if (given.length < operands.length || given.some((text) => text === '' || text.startsWith('-'))) {
    const needed = operands.map((operand) => `a ${operand}`).join(' and ')
    throw new StartError(`${name} needs ${needed}: ${name} ${example}`)
  }
  await run(readConfig(args.slice(operands.length), env), given)
}

/**
 * Runs the command line: serves until it is told to stop, or exits with 2 if it cannot start.
 * @param prepare called once the configuration is valid
 */
export async function run(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  prepare: () => Promise<void> = async () => {},
): Promise<void> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(helpText())
    return
  }
  // Files of the program are readable by its own user only.
  process.umask(0o077)
  const log = createLog(logFormatOf(args, env))
  logEverything(log)
  try {
    const [command = ''] = args
    if (Object.hasOwn(commands, command)) return await runCommand(command, args.slice(1), env)
    const config = readConfig(args, env)
    await prepare()
    // Loaded late, because loading takes most of the start, and errors in the configuration do not
    // need it.
    const { startServer } = await import('./server.ts')
    const server = await startServer(config, (first) => log.info(firstStart(first)), log)
    stopOnSignals(server, config.drainMs, log)
    const tls = server.tls ? `, and with TLS at ${server.tls.url}` : ''
    const metrics = server.metricsUrl ? `; metrics at ${server.metricsUrl}` : ''
    log.info(`Steading is running at ${server.url}${tls}${metrics}`)
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    log.ends(error.message)
    process.exit(2)
  }
}

import { helpText, readConfig } from './config.ts'
import { StartError } from './errors.ts'
import type { Server } from './server.ts'

/** A shutdown that takes longer is cut off; supervisors start to kill after five seconds or more. */
const SHUTDOWN_MS = 4_500
/** Ctrl-C under npm arrives twice, from the terminal and from npm; only a later one is meant. */
const SAME_SIGNAL_MS = 1_000

function stopOnSignals(server: Server): void {
  let began: number | undefined
  const stop = async (): Promise<void> => {
    if (began !== undefined) {
      // Somebody asks again, and means it.
      if (performance.now() - began > SAME_SIGNAL_MS) process.exit(1)
      return
    }
    began = performance.now()
    setTimeout(() => {
      console.error('steading: shutdown took too long; stopped without finishing')
      process.exit(1)
    }, SHUTDOWN_MS).unref()
    try {
      await server.close()
    } catch (error) {
      console.error('steading: shutdown failed:', error)
      process.exit(1)
    }
    process.exit(0)
  }
  process.on('SIGTERM', () => void stop())
  process.on('SIGINT', () => void stop())
}

function announcePassword(password: string): void {
  console.log(`First start: sign in as "admin" with the password ${password} (shown only now)`)
}

const RESET_PASSWORD = 'reset-password'

async function resetFrom(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const [silo, user, ...options] = args
  if (!silo || !user || silo.startsWith('-') || user.startsWith('-')) {
    throw new StartError(`${RESET_PASSWORD} needs a silo and a user: ${RESET_PASSWORD} main admin`)
  }
  const { runResetPassword } = await import('./reset-password.ts')
  await runResetPassword(readConfig(options, env), silo, user)
}

/**
 * Runs the command line: serves until it is told to stop, or exits with 2 if it cannot start.
 * @param prepare done once the configuration is known to be good
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
  // What the program writes is for its own user only.
  process.umask(0o077)
  try {
    if (args[0] === RESET_PASSWORD) return await resetFrom(args.slice(1), env)
    const config = readConfig(args, env)
    await prepare()
    // Loaded late: most of a start is loading this, and a mistake can be told without it.
    const { startServer } = await import('./server.ts')
    const server = await startServer(config, announcePassword)
    stopOnSignals(server)
    console.log(`Steading is running at ${server.url}`)
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    console.error(`steading: ${error.message}`)
    process.exit(2)
  }
}

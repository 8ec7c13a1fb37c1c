import { helpText, readConfig } from './config.ts'
import { StartError } from './errors.ts'
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

function stopOnSignals(server: Server): void {
  let began: number | undefined
  const stop = async (): Promise<void> => {
    if (began !== undefined) {
      // The user has asked a second time.
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
  try {
    if (args[0] === RESET_PASSWORD) return await resetFrom(args.slice(1), env)
    const config = readConfig(args, env)
    await prepare()
    // Loaded late, because loading takes most of the start, and errors in the configuration do not
    // need it.
    const { startServer } = await import('./server.ts')
    const server = await startServer(config, announcePassword)
    stopOnSignals(server)
    const tls = server.tls ? `, and with TLS at ${server.tls.url}` : ''
    console.log(`Steading is running at ${server.url}${tls}`)
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    console.error(`steading: ${error.message}`)
    process.exit(2)
  }
}

import { type Command, type CommandName, commands, isCommand } from './commands.ts'
import { logFormatOf, readConfig } from './config.ts'
import { StartError } from './errors.ts'
import { commandHelp, helpText } from './help.ts'
import { installedVersion } from './installation.ts'
import { createLog, logEverything } from './log.ts'

/**
 * Takes the operands of a command from the front of its arguments.
 * @throws StartError if they are missing
 */
function operandsOf(name: CommandName, args: readonly string[]): readonly string[] {
  const { operands, example }: Command = commands[name]
  const given = args.slice(0, operands.length)
  if (given.length < operands.length || given.some((text) => text === '' || text.startsWith('-'))) {
    const needed = operands.map((operand) => `a ${operand}`).join(' and ')
    const typical = example.split(' ').slice(0, operands.length).join(' ')
    throw new StartError(`${name} needs ${needed}: ${name} ${typical}`)
  }
  return given
}

/** The command of a command line, by default `start`, and the remaining arguments. */
function commandOf(args: readonly string[]): [CommandName, readonly string[]] {
  const [first = '-', ...rest] = args
  if (first.startsWith('-')) return ['start', args]
  if (isCommand(first)) return [first, rest]
  throw new StartError(`there is no command "${first}"; see --help`)
}

/**
 * Runs the command line: serves until told to stop, or runs another command to completion; exits
 * with 2 if it cannot.
 * @param prepare called once the configuration of a server is valid
 */
export async function run(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  prepare: () => Promise<void> = async () => {},
): Promise<void> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(isCommand(args[0]!) ? commandHelp(args[0]) : helpText())
    return
  }
  if (args[0] === '--version') {
    console.log(installedVersion())
    return
  }
  // Files of the program are readable by its user only.
  process.umask(0o077)
  const log = createLog(logFormatOf(args, env))
  logEverything(log)
  try {
    const [name, rest] = commandOf(args)
    const operands = operandsOf(name, rest)
    const config = () => readConfig(rest.slice(operands.length), env, name)
    await commands[name].run({ operands, config, log, prepare })
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    log.ends(error.message)
    process.exit(2)
  }
}

/** The texts of `--help`. */
import { type Command, type CommandName, commands } from './commands.ts'
import { type Option, optionsOf } from './config.ts'
import { installation } from './installation.ts'

/** Formats rows as aligned columns. */
function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)))
  return rows.map((row) =>
    `  ${row.map((text, at) => text.padEnd(widths[at]!)).join('  ')}`.trimEnd(),
  )
}

/** A command with its operands. */
export const usageOf = (name: CommandName): string =>
  [name, ...commands[name].operands.map((operand) => `<${operand}>`)].join(' ')

const optionRows = (shown: readonly Option[]): string[] =>
  columns([
    ...shown.map(({ flag, value, env, default: fallback, help }) => [
      [flag, value].filter(Boolean).join(' '),
      env,
      `${help} (${fallback})`,
    ]),
    ['--help', '', 'show this text'],
  ])

const names = Object.keys(commands) as CommandName[]

/**
 * Help of the whole command line, with the options of the server.
 * @param start first words of every command line
 */
export const helpText = (start: string = installation.command): string =>
  [
    'Runs the Steading control plane and serves its console.',
    '',
    `Usage: ${start} [command] [options]`,
    '',
    ...columns(names.map((name) => [usageOf(name), commands[name].summary])),
    '',
    `\`${start} <command> --help\` tells more of a command; \`--version\` the version.`,
    '',
    'Options of the server. Each can be given as a flag or in the environment; the flag wins.',
    '',
    ...optionRows(optionsOf()),
  ].join('\n')

/**
 * Help of one command, with an example.
 * @param start first words of every command line
 */
export function commandHelp(name: CommandName, start: string = installation.command): string {
  const { summary, details, example, flags }: Command = commands[name]
  const shown = optionsOf(name).filter(({ flag }) => !flags || (flag && flags.includes(flag)))
  return [
    `${name}: ${summary}.`,
    details,
    '',
    `Usage:   ${start} ${usageOf(name)} [options]`,
    `Example: ${start} ${name} ${example}`,
    '',
    'Each option can be given as a flag or in the environment; the flag wins.',
    '',
    ...optionRows(shown),
  ].join('\n')
}

import { changeReasonValue } from '@steading/api/client'
import { wireRequest } from '@steading/api/wire-request'
import { API_VERSION, CHANGE_REASON_HEADER } from '@steading/api/rules'
import { type Code, parsePlaceholder, type Step } from './steps.ts'

const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The path of the console's page about the command line tool. */
export const COMMAND_LINE_PATH = '/settings/command-line'

const signIn = (origin: string) =>
  `Sign in once with: oxide auth login --host ${origin}. Programs without a person set OXIDE_HOST and OXIDE_TOKEN instead.`

const CHAINED =
  'The later calls need answers of earlier ones, or the contents of a file. The other languages have them as a script.'

/** Whether a body contains a part that a script would have to fill in. */
const hasPlaceholder = (body: unknown): boolean =>
  typeof body === 'string'
    ? parsePlaceholder(body) !== undefined
    : typeof body === 'object' && body !== null && Object.values(body).some(hasPlaceholder)

/**
 * Commands of the published command line tool that send the same requests as the console. `oxide
 * api` serves every operation, also the extensions, which have no command of their own.
 */
export function cli(steps: readonly Step[], origin: string): Code {
  const commands: string[] = []
  for (const step of steps) {
    if (step.operation === 'writeFile' || step.operation === 'awaitFinalized') {
      return { text: '', notes: [CHAINED] }
    }
    const { verb, path, body } = wireRequest(step.operation, step.args)
    if (hasPlaceholder(body)) return { text: '', notes: [CHAINED] }
    const words = [`oxide api ${shellQuote(path)} --method ${verb}`]
    words.push(`--header api-version:${API_VERSION}`)
    if (step.reason) {
      const header = `${CHANGE_REASON_HEADER}:${changeReasonValue(step.reason)}`
      words.push(`--header ${shellQuote(header)}`)
    }
    const comment = step.note ? `# ${step.note}\n` : ''
    if (body === undefined) {
      commands.push(comment + words.join(' \\\n  '))
      continue
    }
    words.push('--header content-type:application/json', `--input - <<'END'`)
    // No line of the JSON is END, because its strings contain no line breaks.
    commands.push(`${comment}${words.join(' \\\n  ')}\n${JSON.stringify(body, null, 2)}\nEND`)
  }
  return { text: commands.join('\n\n'), notes: [signIn(origin)] }
}

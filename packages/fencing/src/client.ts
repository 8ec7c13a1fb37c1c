/** Runs the clients of power switches. */
import { CommandError, type CommandOptions, hasCommand, runCommand } from '@steading/commands'
import { type Fencing, type PowerSwitch, FencingFault } from '@steading/control-plane/ports'

/** A kind of power switch. */
export type PowerClient = Pick<Fencing, 'power' | 'switchOff'>

/** Time for a question. Milliseconds. */
export const ASK_MS = 25_000
/** Time for switching off, with its questions. Milliseconds. */
export const OFF_MS = 50_000
/** Characters of a client's complaint that operators see. */
const REASON_MAX = 300

/** The writes of clients, also failed ones. */
export interface Said {
  output: string
  /** The last words of a client that failed. */
  complaint: string | undefined
}

/** Reasons by the words of clients, the first match counts. */
const known: [RegExp, (host: string) => { reason: string; remedy: string }][] = [
  [
    /certificate verify failed|CERTIFICATE_VERIFY_FAILED/,
    (host) => ({
      reason: `the certificate of ${host} is not trusted`,
      remedy:
        'Add its authority to those of the server (update-ca-certificates), or switch the check of the certificate off',
    }),
  ],
  [
    /Name or service not known|Could not resolve|name resolution|Address lookup for .* failed/i,
    (host) => ({
      reason: `the name ${host} cannot be resolved`,
      remedy: 'Correct the address, or the name servers of the server',
    }),
  ],
  [
    // fence_redfish reads the answer of a controller that lets nobody in as if it were the list.
    /KeyError: '(?:Members|Systems)'/,
    (host) => ({
      reason: `${host} does not accept the user and the password`,
      remedy: 'Check both, and that the user may see the systems of the controller',
    }),
  ],
  [
    /Unable to get PowerState/,
    (host) => ({
      reason: `${host} does not say the power state of the system`,
      remedy: 'Check the path of the system, the user and the password',
    }),
  ],
  [
    /Connection refused|No route to host|Network is unreachable|timed out|no end in|Unable to establish/i,
    (host) => ({
      reason: `${host} does not answer`,
      remedy:
        'Check the address, the port, the user and the password, and that the server reaches the management network',
    }),
  ],
]

/** The fault that the words of a client are about. */
export function faultOf(said: string, { address, password }: PowerSwitch): FencingFault {
  const words = password ? said.replaceAll(password, '[password]') : said
  for (const [pattern, explain] of known) {
    if (!pattern.test(words)) continue
    const { reason, remedy } = explain(address)
    return new FencingFault(reason, remedy)
  }
  const line = words.trim().split('\n').findLast(Boolean) ?? ''
  return new FencingFault(
    line === '' ? 'it did not say its power state' : line.slice(0, REASON_MAX),
    'Check the user, the password and the system',
  )
}

/**
 * Runs a client.
 * @param from the Debian package that has it
 * @throws FencingFault if it is not installed
 */
export async function ask(
  client: string,
  from: string,
  args: readonly string[],
  options: CommandOptions,
): Promise<Said> {
  if (!(await hasCommand(client))) {
    throw new FencingFault(
      `${client} is not installed on the server`,
      `Install the package ${from} on all servers`,
    )
  }
  try {
    return { output: await runCommand(client, args, options), complaint: undefined }
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return { output: error.output, complaint: error.message }
  }
}

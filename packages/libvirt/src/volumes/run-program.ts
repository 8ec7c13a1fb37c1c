/** Programs of QEMU, run with limits. */
import { spawn } from 'node:child_process'
import { errorCode } from '@steading/files'

/** A program of QEMU failed, or could not be run. */
export class ProgramError extends Error {
  /** The error output of the program, on one line. */
  readonly errors: string
  readonly output: string
  /** Undefined if it was killed, or did not start. */
  readonly status: number | undefined

  constructor(message: string, { errors = '', output = '', status }: Partial<Outcome> = {}) {
    super(message)
    this.errors = errors
    this.output = output
    this.status = status
  }
}

interface Outcome {
  errors: string
  output: string
  status: number | undefined
}

export interface ProgramLimits {
  /** Bytes of address space. */
  memory?: number
  /** Seconds of processor time. */
  cpu?: number
  /** Milliseconds after which it is killed. */
  timeout?: number
}

interface RunOptions extends ProgramLimits {
  cwd?: string
  signal?: AbortSignal
  /** Gets the standard output as it comes; otherwise it is returned. */
  onOutput?: (text: string) => void
}

/** Bytes of output that are kept. */
const OUTPUT_MAX = 64 * 1024 * 1024
const ERRORS_MAX = 4_000

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

export const missingProgram = (program: string): string =>
  `disks need ${program} (Debian package qemu-utils)`

/** Environment of the programs: their messages are in English, and no setting changes them. */
export const programEnvironment = (): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, LC_ALL: 'C' })

/**
 * The command with its limits, which `prlimit` of util-linux sets; `setpriv` makes the kernel end it
 * with this server, which may be killed at any time.
 */
function limited(program: string, args: readonly string[], { memory, cpu }: ProgramLimits) {
  const limits = [
    ...(memory === undefined ? [] : [`--as=${memory}`]),
    ...(cpu === undefined ? [] : [`--cpu=${cpu}`]),
  ]
  const bounded = limits.length === 0 ? [program] : ['prlimit', ...limits, program]
  return { command: 'setpriv', args: ['--pdeathsig', 'KILL', ...bounded, ...args] }
}

const whereMissing = <T>(error: unknown, otherwise: () => T): T => {
  if (errorCode(error) !== 'ENOENT') throw error
  return otherwise()
}

function runOnce(
  { command, args }: { command: string; args: string[] },
  program: string,
  { cwd, signal, timeout, onOutput }: RunOptions,
): Promise<string> {
  const child = spawn(command, args, {
    cwd,
    signal,
    timeout,
    killSignal: 'SIGKILL',
    env: programEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (onOutput) return onOutput(text)
    if (output.length < OUTPUT_MAX) output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-ERRORS_MAX)
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, killedBy) => {
      if (code === 0) return resolve(output)
      const name = `${program} ${args.find((arg) => /^[a-z]+$/.test(arg)) ?? ''}`.trim()
      const reason = killedBy
        ? `was ended by ${killedBy}`
        : oneLine(errors) || `ended with status ${code}`
      const outcome = { errors: oneLine(errors), output, status: code ?? undefined }
      reject(new ProgramError(`${name}: ${reason}`, outcome))
    })
  })
}

/**
 * Runs a program and returns its output. Where there is no `setpriv`, only the time is limited.
 * @throws ProgramError if it fails, exceeds a limit, or is missing
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  const plain = () =>
    runOnce({ command: program, args: [...args] }, program, options).catch((error: unknown) =>
      whereMissing(error, () => {
        throw new ProgramError(missingProgram(program))
      }),
    )
  return runOnce(limited(program, args, options), program, options).catch((error: unknown) =>
    whereMissing(error, plain),
  )
}

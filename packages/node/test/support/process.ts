/** The product as its operator sees it: a process with output, signals and an exit code. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** A data directory whose database has all tables and no rows. */
    migratedData: string
    /** Program that starts a server. */
    program: string
  }
}

export const PASSWORD = 'a password for tests'

/** Inherited variables must not affect tests. */
const cleanEnvironment = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !name.startsWith('STEADING_') && !/^(https?|no)_proxy$/i.test(name),
    ),
  ),
  // The same on hosts with and without libvirt.
  STEADING_ENGINE: 'simulated',
}

export interface RunResult {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface RunningServer {
  url: string
  /** Everything printed so far. */
  output: () => string
  /** Everything logged so far. */
  log: () => string
  pid: number
  end: (signal: NodeJS.Signals) => Promise<RunResult>
}

/** A private in-memory file system of one process, mounted over a directory. */
export interface SmallDisk {
  directory: string
  kilobytes: number
}

/** Reason that a test cannot have a small disk; undefined if it can. */
export const smallDiskMissing = (): string | undefined =>
  spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', '/tmp']).status === 0
    ? undefined
    : 'this user may not mount a file system with unshare -rm'

/** The directory of a small disk, accessed from outside. */
export const seenFromOutside = ({ pid }: RunningServer, { directory }: SmallDisk): string =>
  `/proc/${pid}/root${directory}`

/** Location of a process: on its own small disk, or on that of another process. */
type Place = SmallDisk | { besides: RunningServer }

/** First words of command lines of the program, as in its help. */
export const startOfCommands = (): string =>
  inject('program').endsWith('.ts') ? 'npm start --' : 'steading'

/** Command prefix for running there. */
export function commandIn(place: Place | undefined): string[] {
  if (!place) return []
  if ('besides' in place) {
    return ['nsenter', '-t', String(place.besides.pid), '-U', '-m', '--preserve-credentials']
  }
  const mount = `mount -t tmpfs -o size=${place.kilobytes}k,mode=700 tmpfs "$0" && exec "$@"`
  return ['unshare', '-rm', 'sh', '-c', mount, place.directory]
}

function launch(
  args: readonly string[],
  env: Record<string, string>,
  place?: Place,
  program: readonly string[] = [process.execPath, inject('program')],
) {
  const [command, ...rest] = [...commandIn(place), ...program, ...args]
  const child = spawn(command!, rest, {
    env: {
      ...cleanEnvironment,
      STEADING_PASSWORD_COST: 'm=1024,t=1',
      STEADING_COLLECTION: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  // After both pipes have been read completely.
  const ended = new Promise<RunResult>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
  // Directories that it writes to are removed after this.
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { child, ended, stdout: () => stdout, stderr: () => stderr }
}

/** Runs the program to completion. */
export const runToEnd = (
  args: readonly string[],
  env: Record<string, string> = {},
  place?: Place,
): Promise<RunResult> => launch(args, env, place).ended

/**
 * Runs the program to completion by another program.
 * @param around command line of that program
 */
export const runIn = (
  around: readonly string[],
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<RunResult> =>
  launch(args, env, undefined, [...around, process.execPath, inject('program')]).ended

/** Listening address, once it has been printed. */
function listening(child: ChildProcess, stdout: () => string): Promise<string> {
  return new Promise((resolve) => {
    child.stdout!.on('data', () => {
      const url = /running at (http:\/\/[^\s,;"]+)/.exec(stdout())?.[1]
      if (url) resolve(url)
    })
  })
}

/** Starts a server on a free port, with a known password by default. */
export async function startProcess(
  args: readonly string[],
  env: Record<string, string> = { STEADING_ADMIN_PASSWORD: PASSWORD },
  disk?: SmallDisk,
): Promise<RunningServer> {
  return started(launch(['--port', '0', ...args], env, disk))
}

/** Starts a server of another program, such as a bundle. */
export const startProgram = (
  program: readonly string[],
  args: readonly string[],
  env: Record<string, string> = { STEADING_ADMIN_PASSWORD: PASSWORD },
): Promise<RunningServer> => started(launch(['--port', '0', ...args], env, undefined, program))

/** A launched server, once it listens. */
async function started({
  child,
  ended,
  stdout,
  stderr,
}: ReturnType<typeof launch>): Promise<RunningServer> {
  const url = await Promise.race([
    listening(child, stdout),
    ended.then(({ stderr }) => Promise.reject(new Error(`it did not start: ${stderr}`))),
  ])
  return {
    url,
    output: stdout,
    log: stderr,
    pid: child.pid!,
    async end(signal) {
      child.kill(signal)
      return ended
    },
  }
}

/** Options of a server whose work is counted. */
export const WITH_METRICS = ['--metrics-listen', '127.0.0.1:0']

/** The address of the metrics of a server that was started `WITH_METRICS`. */
export const metricsUrlOf = ({ output }: Pick<RunningServer, 'output'>): string =>
  /metrics at (\S+)/.exec(output())![1]!

export async function metricsOf(server: Pick<RunningServer, 'output'>): Promise<string> {
  return (await fetch(metricsUrlOf(server))).text()
}

/**
 * Searches of a server for due work so far. Blocked work that is tried over and over makes
 * thousands of them in the time of a test.
 */
export async function passesOf(server: Pick<RunningServer, 'output'>): Promise<number> {
  return Number(/^steading_reconciler_passes_total (\d+)$/m.exec(await metricsOf(server))![1])
}

/** More than a server at rest makes in a minute. */
export const MANY_PASSES = 2000

/** A directory that is removed after the test, once the processes started after it have exited. */
export function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'steading-node-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/**
 * A migrated data directory, for first starts that are not about migrations, which take a third of
 * the time.
 */
export function migratedDirectory(): string {
  const path = temporaryDirectory()
  cpSync(inject('migratedData'), path, { recursive: true })
  return path
}

/** @returns the cookie of a session */
export async function signIn(url: string, password = PASSWORD): Promise<string> {
  const response = await fetch(`${url}/v1/login/main/local`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  })
  if (response.status !== 204) throw new Error(`signing in was answered with ${response.status}`)
  return response.headers.get('set-cookie')!.split(';')[0]!
}

/** Posts JSON and expects success. */
export async function post(url: string, cookie: string, path: string, body: object) {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path} was answered with ${await response.text()}`)
  return response
}

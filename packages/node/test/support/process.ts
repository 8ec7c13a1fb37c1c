/** The product as its operator sees it: a process with output, signals and an exit code. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const main = join(import.meta.dirname, '../../src/main.ts')
export const PASSWORD = 'a password for tests'

/** What is inherited must not decide what is tested. */
const cleanEnvironment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('STEADING_')),
)

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
  /** @returns how it ended and how long that took, in milliseconds */
  end: (signal: NodeJS.Signals) => Promise<RunResult & { milliseconds: number }>
}

function launch(args: readonly string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...cleanEnvironment, STEADING_PASSWORD_COST: 'm=1024,t=1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  // After both pipes are read to their ends.
  const ended = new Promise<RunResult>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
  return { child, ended, stdout: () => stdout }
}

/** Runs the program to its end. */
export const runToEnd = (
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<RunResult> => launch(args, env).ended

/** Where it listens, once it says so. */
function listening(child: ChildProcess, stdout: () => string): Promise<string> {
  return new Promise((resolve) => {
    child.stdout!.on('data', () => {
      const url = /running at (http:\/\/\S+)/.exec(stdout())?.[1]
      if (url) resolve(url)
    })
  })
}

/** Starts a server on a free port, with a known password unless told otherwise. */
export async function startProcess(
  args: readonly string[],
  env: Record<string, string> = { STEADING_ADMIN_PASSWORD: PASSWORD },
): Promise<RunningServer> {
  const { child, ended, stdout } = launch(['--port', '0', ...args], env)
  const url = await Promise.race([
    listening(child, stdout),
    ended.then(({ stderr }) => Promise.reject(new Error(`it did not start: ${stderr}`))),
  ])
  return {
    url,
    output: stdout,
    async end(signal) {
      const began = performance.now()
      child.kill(signal)
      return { ...(await ended), milliseconds: performance.now() - began }
    },
  }
}

/** A directory that is gone after the test. */
export function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'steading-node-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
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

/** Sends JSON and expects success. */
export async function post(url: string, cookie: string, path: string, body: object) {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path} was answered with ${await response.text()}`)
  return response
}

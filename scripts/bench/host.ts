import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { root } from '../processes.ts'
import type { LongestTurn } from './turn-probe.ts'

export const password = 'a long benchmark'

const turnProbe = join(import.meta.dirname, 'turn-probe.ts')

export interface BenchHost {
  url: string
  /** Milliseconds from the start of the process to its first answer. */
  startMs: number
  /** Resident memory in MiB. */
  memory: () => number
  /** Longest event-loop turn since the last call. */
  longestTurn: () => Promise<LongestTurn>
  stop: () => Promise<void>
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

interface HostOptions {
  /** Disables the extensions under `/x/v1`. */
  plain?: boolean
  /** Directory of another version. */
  version?: string
  /** Further environment variables. */
  env?: Record<string, string>
}

/** Runs the product as a separate process, as in real use. */
export async function startHost(
  data: string,
  { plain = false, version = root, env }: HostOptions = {},
): Promise<BenchHost> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const began = performance.now()
  const main = join(version, 'packages/node/src/main.ts')
  const extensions = plain ? ['--no-extensions'] : []
  const options = ['--port', String(port), '--data', data, ...extensions]
  const child = spawn(process.execPath, ['--import', turnProbe, main, ...options], {
    env: { ...process.env, STEADING_ADMIN_PASSWORD: password, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit')
  // A benchmark that fails or is stopped leaves no server.
  process.once('exit', () => child.kill('SIGKILL'))
  for (;;) {
    try {
      if ((await fetch(`${url}/v1/ping`)).ok) break
    } catch {
      if (child.exitCode !== null) throw new Error('the host did not start')
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
  }
  const startMs = performance.now() - began
  return {
    url,
    startMs,
    memory() {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024)
    },
    async longestTurn() {
      const answer = once(child, 'message')
      child.send('longest turn')
      const [longest] = await answer
      return longest as LongestTurn
    },
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** @returns the cookie of a session */
export async function signIn(url: string, username = 'admin'): Promise<string> {
  const response = await fetch(`${url}/v1/login/main/local`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  return response.headers.get('set-cookie')!.split(';')[0]!
}

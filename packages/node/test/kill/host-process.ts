import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

/** A host running as a process of its own, to be killed. */
export interface HostProcess {
  url: string
  /** SIGKILL: nothing is finished, nothing is flushed. */
  kill: () => Promise<void>
}

/**
 * Starts a host on a data directory and waits until it says where it listens. It ends with the test
 * at the latest.
 */
export async function startHost(
  data: string,
  databaseUrl?: string,
  variables: Record<string, string> = {},
): Promise<HostProcess> {
  const child: ChildProcess = spawn(process.execPath, [main, '--port', '0', '--data', data], {
    env: {
      ...process.env,
      STEADING_ADMIN_PASSWORD: 'password',
      STEADING_PASSWORD_COST: 'm=1024,t=1',
      STEADING_BOOT_MS: '20',
      STEADING_MULTICAST: '1',
      ...(databaseUrl && { STEADING_DATABASE_URL: databaseUrl }),
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let complaints = ''
  child.stderr!.on('data', (chunk) => (complaints += chunk))
  const exited = once(child, 'exit')
  const kill = async () => {
    child.kill('SIGKILL')
    await exited
  }
  onTestFinished(kill)
  for await (const line of createInterface({ input: child.stdout! })) {
    const url = /http:\/\/\S+/.exec(line)?.[0]
    if (url) return { url, kill }
  }
  throw new Error(`the host did not start: ${complaints}`)
}

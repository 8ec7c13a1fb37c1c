import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ADMIN_PASSWORD } from './host.ts'

const main = join(import.meta.dirname, '../../packages/node/src/main.ts')

/**
 * The product in a separate process, as started by an operator, which can be killed and restarted.
 */
export interface HostProcess {
  url: string
  /** Kills it without warning. */
  kill: () => Promise<void>
  /** Restarts it at the same address with the same data. Machines may boot faster then. */
  restart: (options?: { bootMs: number }) => Promise<void>
  close: () => Promise<void>
}

export async function startHostProcess({ bootMs }: { bootMs: number }): Promise<HostProcess> {
  const data = await mkdtemp(join(tmpdir(), 'steading-e2e-'))
  let child: ChildProcess
  let url = ''

  const start = async (port: string, boot = bootMs) => {
    child = spawn(process.execPath, [main, '--port', port, '--data', data], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        STEADING_ENGINE: 'simulated',
        STEADING_ADMIN_PASSWORD: ADMIN_PASSWORD,
        STEADING_PASSWORD_COST: 'm=8,t=1',
        STEADING_BOOT_MS: String(boot),
      },
    })
    for await (const line of createInterface(child.stdout!)) {
      const [, address] = /running at (http\S+)/.exec(line) ?? []
      if (address) return address
    }
    throw new Error('the host ended before it was ready')
  }
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  url = await start('0')
  return {
    url,
    kill,
    restart: async (options) => void (await start(new URL(url).port, options?.bootMs)),
    async close() {
      await kill()
      await rm(data, { recursive: true, force: true })
    },
  }
}

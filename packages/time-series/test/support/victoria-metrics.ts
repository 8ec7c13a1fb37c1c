/**
 * A VictoriaMetrics server for tests, with its own directory and a free port on the loopback
 * address. The program is `STEADING_VICTORIA_METRICS`, or else `victoria-metrics` on the PATH, as
 * installed by Debian.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { findProgram, freePort } from '../../../control-plane/test/support/programs.ts'

const find = () => findProgram('victoria-metrics', 'STEADING_VICTORIA_METRICS')

/** Reason that VictoriaMetrics is not available; undefined if it is. */
export const victoriaMetricsMissing = (): string | undefined =>
  find() ? undefined : 'there is no victoria-metrics on the PATH, nor at STEADING_VICTORIA_METRICS'

export interface TestVictoriaMetrics {
  url: string
  /** Makes all received samples visible. */
  flush: () => Promise<void>
  stop: () => Promise<void>
  /** Restarts it on the same port and data. */
  start: () => Promise<void>
}

/** Starts a server in an empty directory. */
export async function startVictoriaMetrics(directory: string): Promise<TestVictoriaMetrics> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let running: { server: ChildProcess; exited: Promise<unknown> } | undefined
  const start = async () => {
    const options = {
      storageDataPath: directory,
      httpListenAddr: `127.0.0.1:${port}`,
      retentionPeriod: '100y',
      loggerLevel: 'ERROR',
    }
    const server = spawn(
      find()!,
      Object.entries(options).map(([name, value]) => `-${name}=${value}`),
      { stdio: 'ignore' },
    )
    const exited = once(server, 'exit')
    running = { server, exited }
    // Polling is the only way to wait for it.
    for (;;) {
      const ready = await fetch(`${url}/health`).then(
        ({ ok }) => ok,
        () => false,
      )
      if (ready) return
      if (server.exitCode !== null) throw new Error('VictoriaMetrics ended while it started')
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  await start()
  return {
    url,
    start,
    async flush() {
      await fetch(`${url}/internal/force_flush`)
    },
    async stop() {
      running?.server.kill('SIGTERM')
      await running?.exited
    },
  }
}

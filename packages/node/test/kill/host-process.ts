import { inject } from 'vitest'
import type { Center } from '../../../libvirt/test/support/hosts-in-namespaces.ts'
import { PASSWORD, startProcess, startProgram } from '../support/process.ts'

/** A host in a separate process, to be killed. */
export interface HostProcess {
  url: string
  /** Everything logged so far. */
  log: () => string
  /** Suspends it, or lets it go on. */
  signal: (signal: 'SIGSTOP' | 'SIGCONT') => void
  /** SIGKILL: nothing is finished or flushed. */
  kill: () => Promise<void>
}

/**
 * Starts a host on a data directory. It is killed at the end of the test at the latest.
 * @param center the machine that it runs on, if that is not this one
 */
export async function startHost(
  data: string,
  databaseUrl?: string,
  variables: Record<string, string> = {},
  center?: Center,
): Promise<HostProcess> {
  const args = ['--data', data]
  const env = {
    STEADING_ADMIN_PASSWORD: PASSWORD,
    STEADING_BOOT_MS: '20',
    STEADING_MULTICAST: '1',
    STEADING_COLLECTION: '1',
    ...(databaseUrl && { STEADING_DATABASE_URL: databaseUrl }),
    ...variables,
  }
  const { url, log, pid, end } = await (center
    ? startProgram([...center.enter, process.execPath, inject('program')], args, env)
    : startProcess(args, env))
  return {
    url: center ? await center.reach(Number(new URL(url).port)) : url,
    log,
    signal: (signal) => void process.kill(pid, signal),
    kill: async () => void (await end('SIGKILL')),
  }
}

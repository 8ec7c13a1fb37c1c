import { PASSWORD, startProcess } from '../support/process.ts'

/** A host in a separate process, to be killed. */
export interface HostProcess {
  url: string
  /** SIGKILL: nothing is finished or flushed. */
  kill: () => Promise<void>
}

/** Starts a host on a data directory. It is killed at the end of the test at the latest. */
export async function startHost(
  data: string,
  databaseUrl?: string,
  variables: Record<string, string> = {},
): Promise<HostProcess> {
  const { url, end } = await startProcess(['--data', data], {
    STEADING_ADMIN_PASSWORD: PASSWORD,
    STEADING_BOOT_MS: '20',
    STEADING_MULTICAST: '1',
    STEADING_COLLECTION: '1',
    ...(databaseUrl && { STEADING_DATABASE_URL: databaseUrl }),
    ...variables,
  })
  return { url, kill: async () => void (await end('SIGKILL')) }
}

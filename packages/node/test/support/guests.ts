/** Real guests of servers that run as processes. */
import { chmodSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { removeDomains } from '../../../libvirt/test/support/domains.ts'
import { type Cloud, type Servers, startServers } from '../kill/cloud.ts'

/** Starts servers with real machines, whose domains are removed after the test. */
export async function startServersWithGuests(
  cloud: Cloud,
  count: number,
  variables: Record<string, string> = {},
): Promise<Servers> {
  // The libvirt of the system runs QEMU as another user.
  chmodSync(cloud.data, 0o711)
  const servers = await startServers(cloud, count, {
    STEADING_ENGINE: 'libvirt',
    STEADING_COLLECTION: '0',
    ...variables,
  })
  onTestFinished(() => removeDomains(cloud.data))
  return servers
}

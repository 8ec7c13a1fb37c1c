import { ISSUES_OF_A_KIND, type Wire } from '@steading/api'
import { removeDomain } from '@steading/api/rules'
import type { Hosts } from '../../../kernel/ports/hosts.ts'

/**
 * A host with its domains that belong to no instance; null if it has not reported.
 * @param serial of the sled
 */
export async function toWireHost(
  hosts: Pick<Hosts, 'facts' | 'orphanedDomains'> | undefined,
  serial: string,
): Promise<Wire.SledHost | null> {
  const facts = await hosts?.facts(serial)
  if (!hosts || !facts) return null
  const lost = await hosts.orphanedDomains(ISSUES_OF_A_KIND)
  return {
    time_reported: facts.reported.toISOString(),
    libvirt_version: facts.libvirtVersion,
    qemu_version: facts.qemuVersion,
    uri: facts.uri,
    accelerator: facts.accelerator,
    accelerator_problem: facts.acceleratorProblem ?? null,
    uefi_problem: facts.uefiProblem ?? null,
    architecture: facts.architecture,
    cpu_model: facts.cpuModel,
    storage_path: facts.storage.path,
    storage_size: facts.storage.size,
    storage_free: facts.storage.free,
    orphaned_domains: lost
      .filter(({ host }) => host === serial)
      .map(({ name, uuid, uri, found }) => ({
        name,
        uuid,
        time_found: found.toISOString(),
        commands: removeDomain(uri, uuid),
      })),
  }
}

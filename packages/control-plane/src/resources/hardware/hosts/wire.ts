import { ISSUES_OF_A_KIND, type Wire } from '@steading/api'
import { removeDomain } from '@steading/api/rules'
import type { Row } from '../../../kernel/kinds.ts'
import type { HostConnection } from '../../../kernel/ports/host-enrolment.ts'
import type { Hosts } from '../../../kernel/ports/hosts.ts'
import type { Work } from '../../../kernel/work.ts'
import { pick } from '../../../kernel/pick.ts'
import { fencingOfHosts, noFencing } from '../host-fencing/change.ts'
import { toWireFencingStatus } from '../host-fencing/wire.ts'
import { findingsColumn } from './findings.ts'

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

const toWireConnection = ({ connected, since, reason }: HostConnection): Wire.HostConnection => ({
  connected,
  time_since: since.toISOString(),
  reason: reason ?? null,
})

/** Hosts with their present connections to this server. */
export async function toWireHosts(
  rows: Row<'host'>[],
  { db, services: { enrolment } }: Pick<Work, 'db' | 'services'>,
): Promise<Wire.Host[]> {
  const fencing = await fencingOfHosts(db, rows)
  return rows.map((row) => {
    const connection = row.serial === null ? undefined : enrolment?.connection(row.serial)
    return {
      ...pick(row, 'id', 'name', 'address', 'next_address', 'state'),
      checking: row.check_due === 1,
      findings: findingsColumn.read(row.findings),
      ...pick(row, 'time_checked', 'part', 'serial', 'sled_id'),
      connection: connection ? toWireConnection(connection) : null,
      fencing: toWireFencingStatus(fencing.get(row.id) ?? noFencing(row.id)),
      ...pick(row, 'time_created', 'time_modified'),
    }
  })
}

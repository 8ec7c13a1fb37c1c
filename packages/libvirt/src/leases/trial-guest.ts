/** Guests that do nothing but to have a lease, for as long as somebody is connected. */
import { LibvirtError } from '../native/errors.ts'
import { leaseXml, type Lease } from '../domain-xml.ts'
import { PROBE_PREFIX } from '../domain-names.ts'
import { isLeaseHeld } from '../failure.ts'
import { ARCHITECTURE, type Libvirt, MACHINE } from '../native/libvirt.ts'
import { element } from '../xml.ts'

/**
 * Its guest has no disk, so it harms none whatever its host does with the lease. It is emulated: the
 * accelerator does not matter.
 */
const trialXml = (uuid: string, lease: Lease): string =>
  element(
    'domain',
    { type: 'qemu' },
    element('name', {}, `${PROBE_PREFIX}${uuid}`),
    element('uuid', {}, uuid),
    element('memory', { unit: 'MiB' }, 16),
    element('vcpu', {}, 1),
    element('os', {}, element('type', { arch: ARCHITECTURE, machine: MACHINE }, 'hvm')),
    element('devices', {}, leaseXml(lease)),
  ).xml

/**
 * Runs a trial guest under a lease during some work. libvirt ends it with the connection, if this
 * server is killed meanwhile.
 * @param work not done if another host has the lease
 * @returns undefined if another host has the lease
 * @throws LibvirtError if the guest does not run for another reason
 */
export async function underLease<T>(
  libvirt: Libvirt,
  lease: Lease,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const uuid = crypto.randomUUID()
  try {
    await libvirt.createTransient(uuid, trialXml(uuid, lease))
    return await work()
  } catch (error) {
    if (error instanceof LibvirtError && isLeaseHeld(error)) return undefined
    throw error
  } finally {
    await libvirt.destroy(uuid)
  }
}

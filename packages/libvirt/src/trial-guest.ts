/** Guests that do nothing but to have a device, for as long as somebody is connected. */
import { LibvirtError } from './native/errors.ts'
import { leaseXml, type Lease } from './domain-xml.ts'
import { PROBE_PREFIX } from './domain-names.ts'
import { isLeaseHeld, lastWords } from './failure.ts'
import { ARCHITECTURE, type Libvirt, MACHINE } from './native/libvirt.ts'
import { element, type Xml } from './xml.ts'

/**
 * Its guest has no disk, so it harms none whatever its host does with a lease. It is emulated: the
 * accelerator does not matter.
 */
const trialXml = (uuid: string, device: Xml): string =>
  element(
    'domain',
    { type: 'qemu' },
    element('name', {}, `${PROBE_PREFIX}${uuid}`),
    element('uuid', {}, uuid),
    element('memory', { unit: 'MiB' }, 16),
    element('vcpu', {}, 1),
    element('os', {}, element('type', { arch: ARCHITECTURE, machine: MACHINE }, 'hvm')),
    element('devices', {}, device),
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
    await libvirt.createTransient(uuid, trialXml(uuid, leaseXml(lease)))
    return await work()
  } catch (error) {
    if (error instanceof LibvirtError && isLeaseHeld(error)) return undefined
    throw error
  } finally {
    await libvirt.destroy(uuid)
  }
}

/**
 * A serial port that QEMU offers by TLS on a port of the host itself: it reads the same certificates
 * as for moves, unless libvirt is told otherwise.
 */
const encryptedPort = element(
  'serial',
  { type: 'tcp' },
  element('source', { mode: 'bind', host: '127.0.0.1', service: 0, tls: 'yes' }),
  element('protocol', { type: 'raw' }),
  element('target', { port: 0 }),
)

/**
 * Has QEMU of a host load its certificate.
 * @returns why it cannot; undefined if it can
 */
export async function tryCertificate(libvirt: Libvirt): Promise<string | undefined> {
  const uuid = crypto.randomUUID()
  try {
    await libvirt.createTransient(uuid, trialXml(uuid, encryptedPort))
    return undefined
  } catch (error) {
    if (!(error instanceof LibvirtError)) throw error
    return lastWords(error)
  } finally {
    await libvirt.destroy(uuid)
  }
}

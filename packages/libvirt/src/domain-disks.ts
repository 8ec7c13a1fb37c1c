/** The disks of running machines, as the volumes use them. */
import { LibvirtError } from './native/connection.ts'
import type { Libvirt } from './native/libvirt.ts'
import { diskTarget } from './domain-xml.ts'
import type { MachineRow, Rows } from './rows.ts'
import { isActive, isAtRest } from './state.ts'
import type { DomainDisks } from './volumes/volumes.ts'
import { element, escapeXml } from './xml.ts'

/** Target of the CD, which no snapshot contains. */
const CD = 'sda'

/** Whether the agent in the guest answers libvirt, by the description of the domain. */
const hasAgent = (xml: string): boolean =>
  /name='org\.qemu\.guest_agent\.0' state='connected'/.test(xml)

/**
 * @param serial of the host
 */
export function createDomainDisks(
  rows: Rows,
  serial: string,
  libvirt: () => Promise<Libvirt>,
): DomainDisks {
  /** The description of the change; undefined if the machine has no such disk. */
  const description = (row: MachineRow, volumeId: string, overlay: string): string | undefined => {
    const { volumes } = rows.spec(row)
    if (!volumes.some(({ id }) => id === volumeId)) return undefined
    const disks = volumes.map(({ id }, index) =>
      id === volumeId
        ? element(
            'disk',
            { name: diskTarget(index), snapshot: 'external', type: 'file' },
            element('driver', { type: 'qcow2' }),
            element('source', { file: overlay }),
          )
        : element('disk', { name: diskTarget(index), snapshot: 'no' }),
    )
    return element(
      'domainsnapshot',
      {},
      element('disks', {}, disks, element('disk', { name: CD, snapshot: 'no' })),
    ).xml
  }

  return {
    async snapshotDisk(machineId, volumeId, overlay) {
      const row = await rows.load(machineId)
      if (!row || isAtRest(row) || row.host !== serial || row.started_at === null) return undefined
      const its = await libvirt()
      const xml = await its.xml(machineId)
      if (xml === undefined || !isActive(await its.status(machineId))) return undefined
      // A crash of the server came after the change; whether file systems were at rest is not known.
      if (xml.includes(`<source file='${escapeXml(overlay)}'`))
        return { consistency: 'crash_consistent' }
      const change = description(row, volumeId, overlay)
      if (change === undefined) return undefined
      if (hasAgent(xml)) {
        try {
          await its.switchDisks(machineId, change, true)
          return { consistency: 'consistent' }
        } catch (error) {
          // The agent has not answered, or the guest has file systems that cannot be at rest.
          if (!(error instanceof LibvirtError)) throw error
        }
      }
      await its.switchDisks(machineId, change, false)
      return { consistency: 'crash_consistent' }
    },
  }
}

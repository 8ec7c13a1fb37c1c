/** Copies of the disks of running machines to other files, as the moves of volumes use them. */
import { type DiskHosts, startedMachine, targetOf } from './domain-disks.ts'
import type { Libvirt } from './native/libvirt.ts'
import type { Rows } from './rows.ts'
import { isActive } from './state.ts'
import type { DiskCopies, SeenDisk } from './volumes/running-transfers.ts'
import { element, unescapeXml } from './xml.ts'

const fileIn = (xml: string): string | undefined => {
  const [, path] = /<source file='([^']*)'/.exec(xml) ?? []
  return path === undefined ? undefined : unescapeXml(path)
}

/**
 * A disk in the description of a domain.
 * @param target as `vda`
 */
export function diskIn(xml: string, target: string): SeenDisk | undefined {
  const disk = xml
    .match(/<disk [\s\S]*?<\/disk>/g)
    ?.find((one) => one.includes(`<target dev='${target}'`))
  // The file of the disk comes before those of its layers and of its copy.
  const path = disk === undefined ? undefined : fileIn(disk)
  if (path === undefined) return undefined
  const [, attributes = '', inside = ''] = /<mirror ([^>]*)>([\s\S]*?)<\/mirror>/.exec(disk!) ?? []
  const copy = fileIn(inside)
  if (copy === undefined) return { path }
  const [, ready] = /ready='(\w+)'/.exec(attributes) ?? []
  const phase = ready === undefined ? 'copying' : ready === 'yes' ? 'ready' : 'ending'
  return { path, copy: { path: copy, phase } }
}

export function createDiskCopies(rows: Rows, hosts: DiskHosts): DiskCopies {
  /** A machine whose domain is active. */
  const active = async (machineId: string) => {
    const row = await startedMachine(rows, hosts, machineId)
    if (!row) return undefined
    const { libvirt } = await hosts.of(row.host)
    const status = await libvirt.status(machineId)
    return isActive(status) ? { row, libvirt, status: status! } : undefined
  }
  const onDisk = async (
    machineId: string,
    volumeId: string,
    work: (libvirt: Libvirt, target: string) => Promise<void>,
  ): Promise<void> => {
    const found = await active(machineId)
    const target = found && targetOf(rows, found.row, volumeId)
    if (target !== undefined) await work(found!.libvirt, target)
  }

  return {
    async look(machineId, volumeId) {
      const found = await active(machineId)
      if (!found) return undefined
      const { row, libvirt, status } = found
      const target = targetOf(rows, row, volumeId)
      const xml = target === undefined ? undefined : await libvirt.xml(machineId)
      const disk = xml === undefined ? undefined : diskIn(xml, target!)
      if (!disk) return undefined
      const isPaused = status.state === 'paused' && !status.diskError
      const progress = disk.copy && (await libvirt.copyProgress(machineId, target!))
      return { ...disk, progress, isPaused }
    },
    begin: (machineId, volumeId, path) =>
      onDisk(machineId, volumeId, (libvirt, target) =>
        libvirt.copyDisk(
          machineId,
          target,
          element(
            'disk',
            { type: 'file' },
            element('driver', { name: 'qemu', type: 'qcow2' }),
            element('source', { file: path }),
          ).xml,
        ),
      ),
    cancel: (machineId, volumeId) =>
      onDisk(machineId, volumeId, (libvirt, target) => libvirt.stopCopy(machineId, target)),
    pivot: (machineId, volumeId) =>
      onDisk(machineId, volumeId, (libvirt, target) => libvirt.pivotDisk(machineId, target)),
    async pause(machineId) {
      await (await active(machineId))?.libvirt.suspend(machineId)
    },
    async resume(machineId) {
      await (await active(machineId))?.libvirt.resume(machineId)
    },
  }
}

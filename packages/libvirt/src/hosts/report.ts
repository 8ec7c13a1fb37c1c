/** The report of a host: its software, and the file system of its volumes. */
import { arch, cpus } from 'node:os'
import { hostProblems } from '@steading/api/rules'
import { translationReason } from '../accelerator.ts'
import { uefiProblem } from '../firmware.ts'
import type { HostReport } from '../machine-tables.ts'
import { ARCHITECTURE } from '../native/libvirt.ts'
import { hostIn } from './examination.ts'
import type { Host } from './host-set.ts'

/** Names of architectures, where Node has another one than libvirt. */
const architectures: Record<string, string> = { x64: ARCHITECTURE, arm64: 'aarch64' }

/** Processor of a host, and why its guests are emulated if they are. */
async function processorOf(
  { libvirt, files }: Host,
  isOwn: boolean,
): Promise<{ architecture: string; cpuModel: string; emulated: () => Promise<string> }> {
  if (!isOwn) {
    const { architecture = 'unknown', model = 'unknown' } = hostIn(await libvirt.capabilities())
    const { detail } = hostProblems.emulated({})
    return { architecture, cpuModel: model, emulated: async () => detail }
  }
  return {
    architecture: architectures[arch()] ?? arch(),
    cpuModel: cpus()[0]?.model.trim() ?? 'unknown',
    emulated: () => translationReason(files.qemuUser === undefined),
  }
}

/** The directory of the volumes, with the bytes of its file system. */
export interface VolumesPlace {
  directory: string
  /** @throws UnusablePoolError if the file system is silent */
  space: () => Promise<{ size: number; free: number }>
}

/**
 * @param isOwn whether it is the host of this server
 * @throws LibvirtError, UnusablePoolError
 */
export async function reportOn(
  host: Host,
  volumes: VolumesPlace,
  now: Date,
  isOwn: boolean,
): Promise<HostReport> {
  const { libvirt, accelerator } = host
  const versions = await libvirt.versions()
  const problem = await uefiProblem(host)
  const { architecture, cpuModel, emulated } = await processorOf(host, isOwn)
  return {
    reported: now.toISOString(),
    libvirtVersion: versions.libvirt,
    qemuVersion: versions.qemu,
    uri: libvirt.uri,
    ...(accelerator === 'kvm'
      ? { accelerator: 'kvm' }
      : { accelerator: 'none', acceleratorProblem: await emulated() }),
    ...(problem !== undefined && { uefiProblem: problem }),
    architecture,
    cpuModel,
    storage: { path: volumes.directory, ...(await volumes.space()) },
  }
}

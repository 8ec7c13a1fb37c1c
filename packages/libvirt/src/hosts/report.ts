/** The report of a host: its software, and the file system of its volumes. */
import { statfs } from 'node:fs/promises'
import { arch, cpus } from 'node:os'
import { translationReason } from '../accelerator.ts'
import { uefiProblem } from '../firmware.ts'
import type { HostReport } from '../machine-tables.ts'
import type { LocalHost } from '../host.ts'
import { ARCHITECTURE } from '../native/libvirt.ts'

/** Names of architectures, where Node has another one than libvirt. */
const architectures: Record<string, string> = { x64: ARCHITECTURE, arm64: 'aarch64' }

/**
 * @param volumes directory of the volumes
 */
export async function reportOn(
  { libvirt, accelerator, files }: LocalHost,
  volumes: string,
  now: Date,
): Promise<HostReport> {
  const versions = await libvirt.versions()
  const problem = await uefiProblem({ libvirt, accelerator })
  const { bsize, blocks, bavail } = await statfs(volumes)
  return {
    reported: now.toISOString(),
    libvirtVersion: versions.libvirt,
    qemuVersion: versions.qemu,
    uri: libvirt.uri,
    ...(accelerator === 'kvm'
      ? { accelerator: 'kvm' }
      : {
          accelerator: 'none',
          acceleratorProblem: await translationReason(files.qemuUser === undefined),
        }),
    ...(problem !== undefined && { uefiProblem: problem }),
    architecture: architectures[arch()] ?? arch(),
    cpuModel: cpus()[0]?.model.trim() ?? 'unknown',
    storage: { path: volumes, size: bsize * blocks, free: bsize * bavail },
  }
}

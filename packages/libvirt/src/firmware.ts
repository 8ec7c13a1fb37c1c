/**
 * The firmware of machines. The NVRAM of UEFI, such as the entries of its boot menu, lead to
 * programs on the boot disk. They stay with it from one machine to the next.
 */
import type { EngineContext, MachineSpec } from '@steading/control-plane/ports'
import { bootVolumes } from './domain-xml.ts'
import { abilitiesIn } from './hosts/abilities.ts'
import { UEFI_PACKAGE } from './availability.ts'
import type { Host } from './hosts/host-set.ts'
import type { Firmware } from '@steading/api/rules'
import type { Qcow2Volumes } from './volumes/volumes.ts'

/** Why machines of a host boot by BIOS only; a sentence without a full stop; undefined with UEFI. */
export async function uefiProblem({
  libvirt,
  accelerator,
}: Pick<Host, 'libvirt' | 'accelerator'>): Promise<string | undefined> {
  const { firmware } = abilitiesIn(await libvirt.domainCapabilities(accelerator))
  return firmware.includes('efi')
    ? undefined
    : `UEFI for guests is missing: install the Debian package ${UEFI_PACKAGE}`
}

export interface MachineFirmware {
  /**
   * Chooses the firmware of a machine that does not run yet, and puts its variables in place.
   * @returns the firmware, and whether it finds a boot loader on the disks
   */
  prepare: (
    host: Host,
    id: string,
    spec: MachineSpec,
  ) => Promise<{ chosen: Firmware; boots: boolean }>
  /** Keeps the variables of a machine that has ended. */
  keep: (host: Host, id: string, spec: MachineSpec) => Promise<void>
}

export function createFirmware(
  volumes: Pick<Qcow2Volumes, 'firmwareOf' | 'firmwareVariables' | 'keepFirmwareVariables'>,
  log: EngineContext['log'],
): MachineFirmware {
  /** Firmware of the first bootable volume; undefined if there is none. */
  async function needed(spec: MachineSpec): Promise<Firmware | undefined> {
    for (const { id, cd = false } of bootVolumes(spec)) {
      const found = await volumes.firmwareOf(id, { cd })
      if (found !== undefined) return found
    }
    return undefined
  }

  return {
    async prepare(host, id, spec) {
      const found = await needed(spec).catch((error: unknown) => {
        // QEMU says better what is wrong with a disk.
        log(`the firmware for machine ${id} cannot be read from its disks`, error)
        return 'bios' as const
      })
      if (found !== 'uefi') return { chosen: 'bios', boots: found !== undefined }
      const problem = await uefiProblem(host)
      if (problem !== undefined) {
        log(`machine ${id} boots by BIOS, although its disk needs UEFI. ${problem}`)
        return { chosen: 'bios', boots: false }
      }
      const path = host.files.of(id).nvram
      const [disk] = bootVolumes(spec)
      const kept = disk && (await volumes.firmwareVariables(disk.id))
      // Otherwise libvirt makes them.
      if (kept) await host.files.calls.writeAll(path, kept, 0o600)
      else await host.files.calls.remove(path)
      return { chosen: 'uefi', boots: true }
    },
    async keep(host, id, spec) {
      const path = host.files.of(id).nvram
      const data = await host.files.calls.readAll(path)
      const [disk] = bootVolumes(spec)
      if (!data || !disk) return
      await volumes.keepFirmwareVariables(disk.id, data)
      // They are the next machine's from now on.
      await host.files.calls.remove(path)
    },
  }
}

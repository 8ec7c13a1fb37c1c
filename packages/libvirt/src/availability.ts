/** Whether this host can run real machines. */
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { loadArchive } from './native/archive.ts'
import { openLibvirt } from './native/libvirt.ts'
import { loadNbd } from './native/nbd.ts'
import { defaultUri } from './options.ts'

/** Programs that the engine runs, with the Debian packages that have them. */
export const programs = {
  'qemu-system-x86_64': 'qemu-system-x86',
  'qemu-img': 'qemu-utils',
  'qemu-nbd': 'qemu-utils',
} as const

/** The Debian package of UEFI for guests. Machines that boot by BIOS run without it. */
export const UEFI_PACKAGE = 'ovmf'

async function isInstalled(program: string): Promise<boolean> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const found = await access(join(folder, program), constants.X_OK).then(
      () => true,
      () => false,
    )
    if (found) return true
  }
  return false
}

/**
 * Looks for the programs and libraries, and connects to libvirt.
 * @param uri address of libvirt
 * @returns the reason why no real machine runs here, without a full stop; undefined if they do
 */
export async function machinesUnavailable(uri = defaultUri()): Promise<string | undefined> {
  for (const program of Object.keys(programs)) {
    if (!(await isInstalled(program))) return `${program} is not installed`
  }
  try {
    await loadNbd()
    await loadArchive()
    const libvirt = await openLibvirt(uri)
    try {
      await libvirt.capabilities()
    } finally {
      await libvirt.close()
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return undefined
}

/** Real guests: a bootable image, and a daemon of libvirt. */
import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { machinesMissing } from '../../packages/libvirt/test/support/libvirt.ts'
import startDaemons from '../../packages/libvirt/test/support/machines-setup.ts'

/** The image of `npm run image`. */
const image =
  process.env.STEADING_IMAGE ?? join(import.meta.dirname, '../../dist/small-image.qcow2')

/** The reason why no guest of the small image runs here; undefined if it does. */
export const guestsMissing = (): string | undefined =>
  machinesMissing() ?? (existsSync(image) ? undefined : 'run `npm run image` first')

export interface RealMachines {
  /** The image as a raw file. */
  file: string
  /** A data directory that QEMU can enter. */
  data: string
  close: () => Promise<void>
}

/** Prepares a test with real guests. */
export async function prepareMachines(): Promise<RealMachines> {
  const stopDaemons = await startDaemons()
  const folder = await mkdtemp(join(tmpdir(), 'steading-guests-'))
  // The libvirt of the system runs QEMU as another user.
  await chmod(folder, 0o711)
  const file = join(folder, 'small.raw')
  execFileSync('qemu-img', ['convert', '-O', 'raw', image, file])
  return {
    file,
    data: join(folder, 'data'),
    async close() {
      await rm(folder, { recursive: true, force: true })
      await stopDaemons()
    },
  }
}

/** Real guests of a bootable image. */
import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { smallImage } from '../../packages/libvirt/test/support/small-image.ts'

export { guestsMissing } from '../../packages/libvirt/test/support/small-image.ts'

export interface RealMachines {
  /** The image as a raw file. */
  file: string
  /** A data directory that QEMU can enter. */
  data: string
  close: () => Promise<void>
}

/** Prepares a test with real guests. */
export async function prepareMachines(): Promise<RealMachines> {
  const folder = await mkdtemp(join(tmpdir(), 'steading-guests-'))
  // The libvirt of the system runs QEMU as another user.
  await chmod(folder, 0o711)
  const file = join(folder, 'small.raw')
  execFileSync('qemu-img', ['convert', '-O', 'raw', smallImage(), file])
  return {
    file,
    data: join(folder, 'data'),
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

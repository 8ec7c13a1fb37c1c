/** Real guests of a bootable image. */
import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { machinesMissing } from '../../packages/libvirt/test/support/libvirt.ts'

const root = join(import.meta.dirname, '../..')
/** The image of `npm run image`, which is built if it is missing. */
const image = process.env.STEADING_IMAGE ?? join(root, 'dist/small-image.qcow2')

/** Files of the Debian packages that `npm run image` needs besides those of the machines. */
const tools = {
  '/usr/bin/cpio': 'cpio',
  '/sbin/mkfs.vfat': 'dosfstools',
  '/usr/bin/mcopy': 'mtools',
  '/usr/bin/syslinux': 'syslinux',
}

/** The reason why no guest of the small image runs here; undefined if it does. */
export function guestsMissing(): string | undefined {
  const missing = Object.entries(tools).flatMap(([file, debian]) =>
    existsSync(image) || existsSync(file) ? [] : [debian],
  )
  return (
    machinesMissing() ?? (missing.length > 0 ? `apt-get install ${missing.join(' ')}` : undefined)
  )
}

export interface RealMachines {
  /** The image as a raw file. */
  file: string
  /** A data directory that QEMU can enter. */
  data: string
  close: () => Promise<void>
}

/** Prepares a test with real guests. */
export async function prepareMachines(): Promise<RealMachines> {
  if (!existsSync(image)) {
    const script = join(root, 'scripts/run.mjs')
    execFileSync(process.execPath, [script, 'image', image], { stdio: 'pipe' })
  }
  const folder = await mkdtemp(join(tmpdir(), 'steading-guests-'))
  // The libvirt of the system runs QEMU as another user.
  await chmod(folder, 0o711)
  const file = join(folder, 'small.raw')
  execFileSync('qemu-img', ['convert', '-O', 'raw', image, file])
  return {
    file,
    data: join(folder, 'data'),
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

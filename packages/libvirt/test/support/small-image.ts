/** The image of `npm run image`, a small Linux. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { machinesMissing } from './libvirt.ts'

const root = join(import.meta.dirname, '../../../..')
/** Path of the image, which `npm test` builds before its tests. */
export const guestImage = process.env.STEADING_IMAGE ?? join(root, 'dist/small-image.qcow2')

/** Files of the Debian packages that build it, besides those of the machines. */
const tools = {
  '/usr/bin/cpio': 'cpio',
  '/sbin/mkfs.vfat': 'dosfstools',
  '/usr/bin/mcopy': 'mtools',
  '/usr/bin/syslinux': 'syslinux',
  '/usr/lib/syslinux/mbr/mbr.bin': 'syslinux-common',
}

/** The reason why no guest of the image runs here; undefined if one does. */
export function guestsMissing(): string | undefined {
  const missing = Object.entries(tools).flatMap(([file, debian]) =>
    existsSync(guestImage) || existsSync(file) ? [] : [debian],
  )
  return (
    machinesMissing() ?? (missing.length > 0 ? `apt-get install ${missing.join(' ')}` : undefined)
  )
}

/**
 * Builds the image, which takes Debian packages from the network, unless it is there.
 * @returns its path
 */
export function smallImage(): string {
  if (!existsSync(guestImage)) {
    execFileSync(process.execPath, [join(root, 'scripts/run.mjs'), 'image', guestImage], {
      stdio: 'pipe',
    })
  }
  return guestImage
}

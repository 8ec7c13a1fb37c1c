/**
 * `npm run image [file]`: a small bootable image of Debian's packages, for tests and first trials: a
 * kernel, BusyBox, an SSH server, and a part of cloud-init. Needs no root, but the packages
 * cpio, dosfstools, e2fsprogs, mtools, qemu-utils, syslinux and syslinux-common.
 */
import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { makeDisk } from './image/disk.ts'
import { unpackPackages } from './image/packages.ts'
import { kernelVersion, makeInitramfs, makeRoot } from './image/root-files.ts'
import { root } from './processes.ts'

const target = resolve(process.argv[2] ?? join(root, 'dist/small-image.qcow2'))
const cache = join(root, 'node_modules/.cache/image')
const work = mkdtempSync(join(tmpdir(), 'steading-image-'))
/** Beside the target, which appears as a whole: tests of several processes build it if it is missing. */
const made = `${target}.${process.pid}`
try {
  const unpacked = join(work, 'unpacked')
  await unpackPackages(cache, unpacked)
  const folders = { root: join(work, 'root'), initramfs: join(work, 'initramfs') }
  await makeRoot(unpacked, folders.root)
  const initramfs = join(work, 'initrd')
  await makeInitramfs(unpacked, folders.initramfs, initramfs)
  await makeDisk(
    {
      kernel: join(unpacked, `boot/vmlinuz-${kernelVersion(unpacked)}`),
      initramfs,
      configuration: join(import.meta.dirname, 'image/files/syslinux.cfg'),
      root: folders.root,
    },
    work,
    made,
  )
  renameSync(made, target)
  console.log(target)
} finally {
  rmSync(made, { force: true })
  rmSync(work, { recursive: true, force: true })
}

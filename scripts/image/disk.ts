/** The disk of the image: a boot loader with the kernel on FAT, and the root on ext4. */
import {
  copyFileSync,
  mkdirSync,
  openSync,
  closeSync,
  writeSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { output } from './packages.ts'

const MiB = 1024 * 1024
const SECTOR = 512
/** Sizes in MiB. */
const GAP = 1
const BOOT = 48
const ROOT = 256

/** An entry of the partition table: its type, and its place in MiB. */
function entry(type: number, active: boolean, start: number, size: number): Uint8Array {
  const bytes = Buffer.alloc(16)
  bytes[0] = active ? 0x80 : 0
  // Beyond what cylinders can express.
  bytes.set([0xfe, 0xff, 0xff], 1)
  bytes[4] = type
  bytes.set([0xfe, 0xff, 0xff], 5)
  bytes.writeUInt32LE((start * MiB) / SECTOR, 8)
  bytes.writeUInt32LE((size * MiB) / SECTOR, 12)
  return bytes
}

function bootSector(): Uint8Array {
  const sector = Buffer.alloc(SECTOR)
  readFileSync('/usr/lib/syslinux/mbr/mbr.bin').copy(sector)
  sector.set(entry(0x0e, true, GAP, BOOT), 446)
  sector.set(entry(0x83, false, GAP + BOOT, ROOT), 462)
  sector.set([0x55, 0xaa], 510)
  return sector
}

/** A program as if by root, so that the files of the image belong to it. */
const asRoot = (...command: string[]): Promise<string> =>
  process.getuid?.() === 0
    ? output(command[0]!, ...command.slice(1))
    : output('unshare', '--map-root-user', ...command)

export interface DiskContents {
  kernel: string
  initramfs: string
  configuration: string
  /** Folder. */
  root: string
}

/**
 * Writes the disk.
 * @param work a folder for parts of it
 */
export async function makeDisk(
  { kernel, initramfs, configuration, root }: DiskContents,
  work: string,
  target: string,
): Promise<void> {
  const boot = join(work, 'boot.img')
  writeFileSync(boot, '')
  truncateSync(boot, BOOT * MiB)
  await output('mkfs.vfat', '-F', '16', '-n', 'STEADING', '-h', String((GAP * MiB) / SECTOR), boot)
  for (const [from, to] of [
    [kernel, 'vmlinuz'],
    [initramfs, 'initrd'],
    [configuration, 'syslinux.cfg'],
  ] as const) {
    await output('mcopy', '-i', boot, from, `::${to}`)
  }
  await output('syslinux', '--install', boot)
  const rootImage = join(work, 'root.img')
  await asRoot(
    'mke2fs',
    '-q',
    '-t',
    'ext4',
    '-L',
    'steading-root',
    '-d',
    root,
    rootImage,
    `${ROOT}M`,
  )
  const disk = join(work, 'disk.img')
  copyFileSync(boot, disk)
  writeFileSync(disk, bootSector())
  truncateSync(disk, (GAP + BOOT + ROOT) * MiB)
  const file = openSync(disk, 'r+')
  writeSync(file, readFileSync(boot), 0, undefined, GAP * MiB)
  writeSync(file, readFileSync(rootImage), 0, undefined, (GAP + BOOT) * MiB)
  closeSync(file)
  mkdirSync(join(target, '..'), { recursive: true })
  await output('qemu-img', 'convert', '-f', 'raw', '-O', 'qcow2', '-c', disk, target)
}

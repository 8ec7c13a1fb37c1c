/** Disks that boot by UEFI only: a guest that needs no operating system, on a partition of its own. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { base64ToUint8Array } from 'uint8array-extras'

/** `uefi-guest.S`, assembled, without the zeros at its end. */
const program =
  'TVoAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAAAAFBFAABkhgEAAA' +
  'AAAAAAAAAAAAAAoAAiAAsCAAAAAgAAAAAAAAAAAAAAAgAAAAIAAAAAAAAAAAAAAAIAAAACAAAAAAAAAAAAAAAAAAAAAAAAAAQA' +
  'AAACAAAAAAAACgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAYAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' +
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAudGV4dAAAAAACAAAAAgAAAAIAAAACAAAAAAAAAAAAAAAAAAAgAADgAAAAAAAA' +
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' +
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' +
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABIg+' +
  'xISItaWEiNDbUAAABIjRWeAAAARTHATI0NjAAAAEiNBcUAAABIiUQkIP9TSP4FtwAAAEiNDYgAAABIjRVxAAAAQbgHAAAAQbkB' +
  'AAAASI0FlgAAAEiJRCQg/1NY+kiNNWoAAABmuv0DrITAdBSIxOyoIHT7iOBmuvgD7ma6/QPr52a6AgZmuAABZu/79PpmugAGZu' +
  '1mqQABdPG5AgAAADHSRTHARTHJ/1NoAQAAAAAAAAApcyrBH/jSEbtLAKDJPsk7QwBvAHUAbgB0AAAADQpUaGUgZ3Vlc3QgaXMg' +
  'cmVhZHkuDQpCb290IDAgYnkgVUVGSS4NCg=='
const PROGRAM_BYTES = 1024

/** The line in which the guest says how often it was started with the same variables. */
export const boots = (count: number): string => `Boot ${count} by UEFI.`

const SECTOR = 512
const MiB = 1024 * 1024
/** Entries of the partition table, and the bytes of each. */
const [ENTRIES, ENTRY_BYTES] = [128, 128]

/** GUIDs as they are stored. */
export const partitionTypes = {
  efiSystem: '28732ac11ff8d211ba4b00a0c93ec93b',
  biosBoot: '4861682149646f6e744e656564454649',
  linuxData: 'af3dc60f838472478e793d69d8477de4',
}

/** A FAT file system with the program where the firmware looks for it. */
function fileSystem(folder: string): Buffer {
  const [image, file] = [join(folder, 'esp'), join(folder, 'program')]
  writeFileSync(image, Buffer.alloc(2 * MiB))
  writeFileSync(file, Buffer.concat([base64ToUint8Array(program)], PROGRAM_BYTES))
  execFileSync('/sbin/mkfs.vfat', ['-F', '12', image], { stdio: 'ignore' })
  execFileSync('mmd', ['-i', image, '::EFI', '::EFI/BOOT'])
  execFileSync('mcopy', ['-i', image, file, '::EFI/BOOT/BOOTX64.EFI'])
  return readFileSync(image)
}

interface Partition {
  type: string
  /** Sectors. */
  first: number
  last: number
  legacyBootable?: boolean
}

/** The first sectors of a disk with a GUID partition table. */
export function partitionTable(partitions: readonly Partition[], size: number): Buffer {
  const table = Buffer.alloc(34 * SECTOR)
  // The protective partition of all older tools.
  table.set([0, 0, 2, 0, 0xee, 0xff, 0xff, 0xff, 1], 446)
  table.writeUInt32LE(size / SECTOR - 1, 458)
  table.set([0x55, 0xaa], 510)
  const entries = table.subarray(2 * SECTOR, 2 * SECTOR + ENTRIES * ENTRY_BYTES)
  for (const [index, { type, first, last, legacyBootable }] of partitions.entries()) {
    const entry = entries.subarray(index * ENTRY_BYTES, (index + 1) * ENTRY_BYTES)
    entry.write(type, 0, 'hex')
    entry.fill(index + 1, 16, 32)
    entry.writeBigUInt64LE(BigInt(first), 32)
    entry.writeBigUInt64LE(BigInt(last), 40)
    entry.writeBigUInt64LE(legacyBootable ? 4n : 0n, 48)
  }
  const header = table.subarray(SECTOR, SECTOR + 92)
  header.write('EFI PART\0\0\u0001\0', 'latin1')
  header.writeUInt32LE(header.length, 12)
  for (const [at, sector] of [
    [24, 1],
    [32, size / SECTOR - 1],
    [40, 34],
    [48, size / SECTOR - 34],
    [72, 2],
  ] as const) {
    header.writeBigUInt64LE(BigInt(sector), at)
  }
  header.fill(0xab, 56, 72)
  header.writeUInt32LE(ENTRIES, 80)
  header.writeUInt32LE(ENTRY_BYTES, 84)
  header.writeUInt32LE(crc32(entries), 88)
  header.writeUInt32LE(crc32(header), 16)
  return table
}

const inFolder = <T>(work: (folder: string) => T): T => {
  const folder = mkdtempSync(join(tmpdir(), 'steading-uefi-'))
  try {
    return work(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A disk that boots by UEFI only. */
export function uefiDisk(): Uint8Array {
  const files = inFolder(fileSystem)
  const size = files.length + 2 * MiB
  const first = MiB / SECTOR
  const last = first + files.length / SECTOR - 1
  const disk = Buffer.alloc(size)
  partitionTable([{ type: partitionTypes.efiSystem, first, last }], size).copy(disk)
  files.copy(disk, MiB)
  return disk
}

/** A CD that boots by one kind of firmware, by both, or by none. */
export const bootableCd = (...kinds: ('bios' | 'uefi')[]): Uint8Array =>
  inFolder((folder) => {
    const files = join(folder, 'files')
    mkdirSync(files)
    writeFileSync(join(files, 'bios'), Buffer.alloc(2048, 0xf4))
    writeFileSync(join(files, 'uefi'), Buffer.alloc(2048))
    const options = kinds.map((kind) =>
      kind === 'bios'
        ? ['-b', 'bios', '-no-emul-boot', '-boot-load-size', '4']
        : ['-e', 'uefi', '-no-emul-boot'],
    )
    const image = join(folder, 'cd.iso')
    const boot = options.flatMap((one, index) => (index > 0 ? ['-eltorito-alt-boot', ...one] : one))
    execFileSync('xorriso', ['-as', 'mkisofs', ...boot, '-o', image, files], { stdio: 'ignore' })
    return readFileSync(image)
  })

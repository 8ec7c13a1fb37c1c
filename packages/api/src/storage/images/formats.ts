/** Formats of image files: recognised by their first bytes, as names are not reliable. */
import { exactBytes } from '../../rules/bytes.ts'
import { blockSizes, DISTRIBUTED_DISK_MAX_SIZE } from '../disks/rules.ts'

/** Formats from which disks can be made. An ISO image holds a file system, as a CD does. */
export const imageFormats = ['raw', 'qcow2', 'vmdk', 'vhdx', 'iso'] as const
export type ImageFormat = (typeof imageFormats)[number]

/** Formats whose bytes are not those of the disk in them. */
export const isConverted = (format: ImageFormat): boolean => format !== 'raw' && format !== 'iso'

/** First bytes of an image that are enough to recognise its format. */
export const IMAGE_HEAD_BYTES = 72 * 1024

const QCOW_VERSIONS = [2, 3]

const at = (offset: number, ...bytes: (number | string)[]) => ({
  offset,
  bytes: bytes.flatMap((part) =>
    typeof part === 'string' ? [...part].map((letter) => letter.charCodeAt(0)) : [part],
  ),
})
const matches = (head: Uint8Array, { offset, bytes }: ReturnType<typeof at>): boolean =>
  bytes.every((byte, index) => head[offset + index] === byte)

/** After the system area, which may hold anything, such as a boot record. */
const CD_MAGIC = at(0x80_01, 'CD001')

const magics: [ReturnType<typeof at>, ImageFormat][] = [
  [at(0, 'QFI', 0xfb), 'qcow2'],
  [at(0, 'KDMV'), 'vmdk'],
  [at(0, 'vhdxfile'), 'vhdx'],
  [CD_MAGIC, 'iso'],
]

/** The header of a GUID partition table, which is in the second block of a disk. */
const PARTITION_TABLE = 'EFI PART'

/**
 * The size of the blocks for which an image was made, by its partition table; undefined without one.
 * @param head its first `IMAGE_HEAD_BYTES` bytes, or all of them
 */
export const partitionedBlockSize = (head: Uint8Array): (typeof blockSizes)[number] | undefined =>
  blockSizes.find((size) => matches(head, at(size, PARTITION_TABLE)))

/** Whether an image has the file system of a CD. @param head as above */
export const isCdImage = (head: Uint8Array): boolean => matches(head, CD_MAGIC)

/** The mark of a master boot record, which every disk with a partition table begins with. */
const BOOT_MARK = at(510, 0x55, 0xaa)

/** Marks of file systems that a disk may have without a partition table, and of volume managers. */
const fileSystems = [
  at(1080, 0x53, 0xef), // ext2, ext3, ext4
  at(0, 'XFSB'),
  at(65_600, '_BHRfS_M'), // Btrfs
  at(1024, 0x10, 0x20, 0xf5, 0xf2), // F2FS
  at(1024, 0xe2, 0xe1, 0xf5, 0xe0), // EROFS
  at(0, 'hsqs'), // SquashFS
  at(32_768, 'JFS1'),
  at(32, 'NXSB'), // APFS
  at(1024, 'H+'),
  at(1024, 'HX'), // HFS+
  at(66_908, 0x19, 0x01, 0x54, 0x19), // UFS2
  at(4086, 'SWAPSPACE2'),
  at(512, 'LABELONE'), // LVM
]

/** Whether raw bytes are those of a disk: by a partition table, a file system, or a CD's mark. */
const isMarkedDisk = (head: Uint8Array): boolean =>
  matches(head, BOOT_MARK) ||
  isCdImage(head) ||
  partitionedBlockSize(head) !== undefined ||
  fileSystems.some((mark) => matches(head, mark))

/** Whether a file begins as a web page does, such as the answer of a server that wants a sign-in. */
const isWebPage = (head: Uint8Array): boolean =>
  // A comment ends at the first "-->" only: with several ways to match, a file could stop the server.
  /^(?:\uFEFF|\u00EF\u00BB\u00BF)?\s*(?:<!--(?:(?!-->)[^])*-->\s*)*<(?:!doctype\s+html|html|head|body)\b/i.test(
    String.fromCharCode(...head.subarray(0, 1024)),
  )

/** Files that are often taken for images, and their names. */
const others: [ReturnType<typeof at>, string][] = [
  [at(0, '# Disk DescriptorFile'), 'a VMDK descriptor, whose data is in other files'],
  [at(0, 'COWD'), 'a VMDK image of an old ESX version'],
  [at(0, 'conectix'), 'a VHD image'],
  [at(64, 0x7f, 0x10, 0xda, 0xbe), 'a VDI image'],
  [at(0, 'QED', 0), 'a QED image'],
  [at(0, 'LUKS', 0xba, 0xbe), 'an encrypted image'],
  [at(0, 0x1f, 0x8b), 'compressed by gzip'],
  [at(0, 0xfd, '7zXZ', 0), 'compressed by xz'],
  [at(0, 0x28, 0xb5, 0x2f, 0xfd), 'compressed by Zstandard'],
  [at(0, 'BZh'), 'compressed by bzip2'],
  [at(0, 'PK', 3, 4), 'a ZIP archive'],
  [at(0, '7z', 0xbc, 0xaf, 0x27, 0x1c), 'a 7-Zip archive'],
  [at(0, 'Rar!', 0x1a, 7), 'a RAR archive'],
  [at(0, 0x04, 0x22, 0x4d, 0x18), 'compressed by LZ4'],
  [at(257, 'ustar'), 'an archive (tar, as an OVA is)'],
]

/** Refusals of image files; sentences without a full stop. */
export const imageProblems = {
  empty: 'The image is empty',
  notBlocks: (blockSize: number) =>
    `The size of the file is not a multiple of the block size (${blockSize} bytes)`,
  unsupported: (kind: string) =>
    `The image is ${kind}: convert or unpack it to ${imageFormats.slice(0, -1).join(', ')} or ${imageFormats.at(-1)} first`,
  webPage: 'The file is a web page (HTML), and no image: take the address of the file itself',
  noDisk:
    'The file is probably no image of a disk: it has no partition table, no file system and no mark of a CD. If it is a raw disk all the same, say so',
  backing: 'The image builds on another file: make an image that is complete in itself',
  elsewhere: 'The data of the image is in other files: make an image that is complete in itself',
  encrypted: 'The image is encrypted: decrypt it first',
  truncated: 'The image is incomplete: it ends before its data does. Transfer it again',
  damaged: 'The image is damaged. Transfer it again',
  tooLarge: (max: string) => `The disk in the image is larger than ${max}`,
  unreadable: (reason: string) => `The image cannot be read: ${reason}`,
  tooMuch: 'The image takes too much time or memory to read',
  noSpace: 'There is not enough storage to convert the image',
} as const

/**
 * The format of an image; anything without a known mark is raw.
 * @param head its first `IMAGE_HEAD_BYTES` bytes, or all of them
 */
export function recogniseImage(head: Uint8Array): { format: ImageFormat } | { problem: string } {
  if (isWebPage(head)) return { problem: imageProblems.webPage }
  const other = others.find(([magic]) => matches(head, magic))
  if (other) return { problem: imageProblems.unsupported(other[1]) }
  const format = magics.find(([magic]) => matches(head, magic))?.[1] ?? 'raw'
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  if (format === 'qcow2' && (head.length < 8 || !QCOW_VERSIONS.includes(view.getUint32(4)))) {
    return { problem: imageProblems.unsupported('a qcow image of an unknown version') }
  }
  return { format }
}

/** Why a qcow2 image cannot be used, by its header: it needs another file or a key. */
function qcow2Problem(head: DataView): string | undefined {
  if (head.byteLength < 72) return imageProblems.truncated
  if (head.getBigUint64(8) !== 0n || head.getUint32(16) !== 0) return imageProblems.backing
  if (head.getUint32(32) !== 0) return imageProblems.encrypted
  if (head.getUint32(4) < 3) return undefined
  if (head.byteLength < 104) return imageProblems.truncated
  const DATA_FILE = 1n << 2n
  return (head.getBigUint64(72) & DATA_FILE) === 0n ? undefined : imageProblems.elsewhere
}

/**
 * Recognises an image, and refuses one whose header shows that no disk can be made of it.
 * @param head as for `recogniseImage`
 * @param isRawDisk whether somebody says that bytes without a mark are those of a disk
 */
export function checkImageHead(
  head: Uint8Array,
  { isRawDisk }: { isRawDisk: boolean },
): ReturnType<typeof recogniseImage> {
  const found = recogniseImage(head)
  if (!('format' in found)) return found
  if (found.format === 'raw' && !isRawDisk && !isMarkedDisk(head)) {
    return { problem: imageProblems.noDisk }
  }
  if (found.format !== 'qcow2') return found
  const problem = qcow2Problem(new DataView(head.buffer, head.byteOffset, head.byteLength))
  return problem === undefined ? found : { problem }
}

/** Reads bytes of an image; fewer at its end. */
export type ReadImage = (offset: number, length: number) => Promise<Uint8Array>

/** GUIDs of VHDX, as they are stored. */
const METADATA_REGION = '06a27c8b90479a4bb8fe575f050f886e'
const BLOCKS_REGION = '6677c22d23f600429d64115e9bfd4a08'
const FILE_PARAMETERS = '3767a1ca36fa434db3b633f0aa44e76b'
const VIRTUAL_DISK_SIZE = '2442a52f1bcd7648b2115dbed83bf4b8'
const REGION_TABLE = 192 * 1024
/** Entries of a table in 64 KiB. */
const ENTRIES_MAX = 2047
const ENTRY_BYTES = 32

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** The entry of a table of VHDX that begins with a GUID. */
async function vhdxEntry(
  read: ReadImage,
  { table, entries, countAt }: { table: number; entries: number; countAt: number },
  guid: string,
): Promise<DataView | undefined> {
  const view = viewOf(await read(table, entries + ENTRIES_MAX * ENTRY_BYTES))
  const count = Math.min(view.getUint16(countAt, true), ENTRIES_MAX)
  for (let at = entries; at < entries + count * ENTRY_BYTES; at += ENTRY_BYTES) {
    const bytes = new Uint8Array(view.buffer, view.byteOffset + at, 16)
    const id = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
    if (id === guid) return new DataView(view.buffer, view.byteOffset + at, ENTRY_BYTES)
  }
  return undefined
}

const vhdxRegions = { table: REGION_TABLE, entries: 16, countAt: 8 }

/** A value among the metadata of VHDX. */
async function vhdxMetadata(read: ReadImage, guid: string): Promise<DataView> {
  const region = await vhdxEntry(read, vhdxRegions, METADATA_REGION)
  const table = Number(region!.getBigUint64(16, true))
  const item = await vhdxEntry(read, { table, entries: 32, countAt: 10 }, guid)
  return viewOf(await read(table + item!.getUint32(16, true), 8))
}

const vhdxSize = async (read: ReadImage): Promise<number> =>
  Number((await vhdxMetadata(read, VIRTUAL_DISK_SIZE)).getBigUint64(0, true))

/** The disk in a VHDX image, and the table of its blocks; undefined if the file lacks them. */
export async function vhdxTables(read: ReadImage): Promise<
  | {
      size: number
      blockSize: number
      /** Bytes of the file. */
      blocks: { offset: number; length: number }
    }
  | undefined
> {
  try {
    const region = await vhdxEntry(read, vhdxRegions, BLOCKS_REGION)
    return {
      size: await vhdxSize(read),
      blockSize: (await vhdxMetadata(read, FILE_PARAMETERS)).getUint32(0, true),
      blocks: {
        offset: Number(region!.getBigUint64(16, true)),
        length: region!.getUint32(24, true),
      },
    }
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return undefined
    throw error
  }
}

/**
 * Bytes of the disk in an image whose bytes are converted; undefined if its header does not say it.
 * @param format a converted one
 */
export async function diskSizeInImage(
  read: ReadImage,
  format: ImageFormat,
): Promise<number | undefined> {
  const SECTOR = 512
  try {
    const view = viewOf(await read(0, SECTOR))
    if (format === 'qcow2') return Number(view.getBigUint64(24))
    if (format === 'vmdk') return Number(view.getBigUint64(12, true)) * SECTOR
    return format === 'vhdx' ? await vhdxSize(read) : undefined
  } catch {
    // A table that ends early, or lacks its entry: the conversion tells what is wrong.
    return undefined
  }
}

/** A file that is to be imported: the reason why it cannot be, or the image in it. */
export type RecognisedFile =
  | {
      problem: string
      /** Whether the file is imported nevertheless if the user says that it is a raw disk. */
      maybeRaw: boolean
    }
  | {
      problem?: undefined
      /** Undefined if the bytes of the file are those of the disk. */
      format: ImageFormat | undefined
      /** Bytes of the disk in it; undefined if the header does not say it. */
      size: number | undefined
    }

/**
 * Recognises a file that is to be imported. The reason that explains the others comes first: the
 * contents of the file come before the size.
 * @param formats those that the control plane converts; without any, only raw disks are of use
 */
export async function recogniseFile(
  read: ReadImage,
  {
    bytes,
    blockSize,
    formats,
    isRawDisk,
  }: { bytes: number; blockSize: number; formats: readonly ImageFormat[]; isRawDisk: boolean },
): Promise<RecognisedFile> {
  const refused = (problem: string) => ({
    problem,
    maybeRaw: problem === imageProblems.noDisk,
  })
  if (bytes === 0) return refused(imageProblems.empty)
  const found = checkImageHead(await read(0, IMAGE_HEAD_BYTES), { isRawDisk })
  if ('problem' in found) return refused(found.problem)
  const { format } = found
  if (!isConverted(format)) {
    return bytes % blockSize === 0
      ? { format: undefined, size: undefined }
      : refused(imageProblems.notBlocks(blockSize))
  }
  if (!formats.includes(format)) {
    return refused(imageProblems.unsupported(`in the format ${format}`))
  }
  const size = await diskSizeInImage(read, format)
  return size !== undefined && size > DISTRIBUTED_DISK_MAX_SIZE
    ? refused(imageProblems.tooLarge(exactBytes(DISTRIBUTED_DISK_MAX_SIZE)))
    : { format, size }
}

/** Formats of image files: recognised by their first bytes, as names are not reliable. */

/** Formats from which disks can be made. An ISO image holds a file system, as a CD does. */
export const imageFormats = ['raw', 'qcow2', 'vmdk', 'vhdx', 'iso'] as const
export type ImageFormat = (typeof imageFormats)[number]

/** First bytes of an image that are enough to recognise its format. */
export const IMAGE_HEAD_BYTES = 36 * 1024

const QCOW_VERSIONS = [2, 3]

const at = (offset: number, ...bytes: (number | string)[]) => ({
  offset,
  bytes: bytes.flatMap((part) =>
    typeof part === 'string' ? [...part].map((letter) => letter.charCodeAt(0)) : [part],
  ),
})
const matches = (head: Uint8Array, { offset, bytes }: ReturnType<typeof at>): boolean =>
  bytes.every((byte, index) => head[offset + index] === byte)

const magics: [ReturnType<typeof at>, ImageFormat][] = [
  [at(0, 'QFI', 0xfb), 'qcow2'],
  [at(0, 'KDMV'), 'vmdk'],
  [at(0, 'vhdxfile'), 'vhdx'],
  // After the system area, which may hold anything, such as a boot record.
  [at(0x80_01, 'CD001'), 'iso'],
]

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
]

/** Refusals of image files; sentences without a full stop. */
export const imageProblems = {
  empty: 'The image is empty',
  unsupported: (kind: string) =>
    `The image is ${kind}: convert or unpack it to ${imageFormats.slice(0, -1).join(', ')} or ${imageFormats.at(-1)} first`,
  backing: 'The image builds on another file: make an image that is complete in itself',
  elsewhere: 'The data of the image is in other files: make an image that is complete in itself',
  encrypted: 'The image is encrypted: decrypt it first',
  truncated: 'The image is incomplete: it ends before its data does. Transfer it again',
  damaged: 'The image is damaged. Transfer it again',
  tooLarge: (max: string) => `The disk in the image is larger than ${max}`,
  unreadable: (reason: string) => `The image cannot be read: ${reason}`,
  tooMuch: 'The image takes too much time or memory to read',
} as const

/**
 * The format of an image; anything without a known mark is raw.
 * @param head its first `IMAGE_HEAD_BYTES` bytes, or all of them
 */
export function recogniseImage(head: Uint8Array): { format: ImageFormat } | { problem: string } {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  const other = others.find(([magic]) => matches(head, magic))
  if (other) return { problem: imageProblems.unsupported(other[1]) }
  const format = magics.find(([magic]) => matches(head, magic))?.[1] ?? 'raw'
  if (format === 'qcow2' && (head.length < 8 || !QCOW_VERSIONS.includes(view.getUint32(4)))) {
    return { problem: imageProblems.unsupported('a qcow image of an unknown version') }
  }
  return { format }
}

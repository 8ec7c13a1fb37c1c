/** Files to import are recognised by their first bytes. */
import { expect, test } from 'vitest'
import { type ImageFormat, imageProblems, recogniseFile } from '../src/rules.ts'

const formats: ImageFormat[] = ['qcow2', 'vmdk', 'vhdx']
/** A file of zeros, with a text at an offset. */
const fileWith = (offset: number, text: string, bytes = 80 * 1024): Uint8Array => {
  const file = new Uint8Array(bytes)
  file.set(
    Array.from(text, (letter) => letter.charCodeAt(0)),
    offset,
  )
  return file
}
const recognise = (file: Uint8Array, { isRawDisk = false, blockSize = 512 } = {}) =>
  recogniseFile(async (offset, length) => file.slice(offset, offset + length), {
    bytes: file.length,
    blockSize,
    formats,
    isRawDisk,
  })
const raw = { format: undefined, size: undefined }

test.each([
  ['a master boot record', 510, '\x55\xaa'],
  ['a GUID partition table', 512, 'EFI PART'],
  ['the same of large blocks', 4096, 'EFI PART'],
  ['ext4', 1080, '\x53\xef'],
  ['XFS', 0, 'XFSB'],
  ['Btrfs', 65_600, '_BHRfS_M'],
  ['LVM', 512, 'LABELONE'],
  ['a CD', 0x80_01, 'CD001'],
])('%s makes a raw image', async (_, offset, text) => {
  expect(await recognise(fileWith(offset, text))).toEqual(raw)
})

test('bytes without a mark are a raw disk only if somebody says so', async () => {
  for (const file of [fileWith(0, 'readme'), new Uint8Array(1024)]) {
    expect(await recognise(file)).toEqual({ problem: imageProblems.noDisk, maybeRaw: true })
    expect(await recognise(file, { isRawDisk: true })).toEqual(raw)
  }
})

test.each([
  ['compressed by gzip', 0, '\x1f\x8b\x08'],
  ['compressed by xz', 0, '\xfd7zXZ\0'],
  ['compressed by Zstandard', 0, '\x28\xb5\x2f\xfd'],
  ['compressed by bzip2', 0, 'BZh9'],
  ['a ZIP archive', 0, 'PK\x03\x04'],
  ['an archive (tar, as an OVA is)', 257, 'ustar\0'],
])(
  'a file that is %s is refused whatever its size, also as a raw disk',
  async (kind, offset, text) => {
    const file = fileWith(offset, text, 1_371)
    for (const isRawDisk of [false, true]) {
      const problem = imageProblems.unsupported(kind)
      expect(await recognise(file, { isRawDisk })).toEqual({ problem, maybeRaw: false })
    }
  },
)

test.each(['<!DOCTYPE html>', '\n <html lang="en">', '\xef\xbb\xbf<!-- mirror --><HTML>'])(
  'a web page is refused as an image: %s',
  async (text) => {
    const answer = await recognise(fileWith(0, text), { isRawDisk: true })
    expect(answer).toEqual({ problem: imageProblems.webPage, maybeRaw: false })
  },
)

test('a file of many comments is no web page, which is found out in bounded time', async () => {
  const file = fileWith(0, '<!---->'.repeat(140))
  expect(await recognise(file, { isRawDisk: true })).toEqual(raw)
})

test('a size that is not a multiple of the block size is the last reason', async () => {
  const odd = fileWith(510, '\x55\xaa', 1_000)
  expect(await recognise(odd)).toEqual({ problem: imageProblems.notBlocks(512), maybeRaw: false })
})

import { CHECKSUM_PIECE } from '@steading/api/rules'
import { expect, onTestFinished, test, vi } from 'vitest'
import { toBase64, chunkBody } from '../../src/storage/images/write-chunk.ts'
import { blockSizeHint, bootableHints, readFileHints } from '../../src/storage/images/file-hints.ts'
import { hashPieces } from '../../src/storage/images/hash-pieces.ts'
import { isZero } from '@steading/api/rules'
import { fromBase64, noise, sha256 } from './bytes.ts'

test('base64 in pieces is base64', () => {
  for (const length of [0, 1, 2, 24_576, 24_577, 100_000]) {
    const bytes = noise(length)
    Object.defineProperty(bytes, 'toBase64', { value: undefined })
    expect(fromBase64(toBase64(bytes))).toEqual(noise(length))
  }
})

test('the body of a chunk is valid JSON', () => {
  const text = new TextDecoder().decode(chunkBody(524_288, toBase64(noise(1000))))
  expect(JSON.parse(text)).toEqual({ offset: 524_288, base64_encoded_data: toBase64(noise(1000)) })
})

test('the checksum of a file is the hash of the hashes of its pieces, with and without the browser', async () => {
  const bytes = noise(2 * CHECKSUM_PIECE + 100)
  const sums = [0, CHECKSUM_PIECE, 2 * CHECKSUM_PIECE].map((at) =>
    sha256(bytes.slice(at, at + CHECKSUM_PIECE)),
  )
  const expected = await sha256(new TextEncoder().encode((await Promise.all(sums)).join('')))
  expect(await hashPieces(new Blob([bytes]))).toBe(expected)
  vi.stubGlobal('crypto', {})
  onTestFinished(() => void vi.unstubAllGlobals())
  expect(await hashPieces(new Blob([bytes]))).toBe(expected)
})

test('zero detection covers the last byte', () => {
  expect(isZero(new Uint8Array(4096))).toBe(true)
  for (const at of [0, 1, 4095, 4094]) {
    const bytes = new Uint8Array(4096)
    bytes[at] = 1
    expect(isZero(bytes), String(at)).toBe(false)
  }
  expect(isZero(Uint8Array.of(0, 0, 0, 0, 0, 1))).toBe(false)
})

const marked = (name: string, mark: string, at: number) => {
  const bytes = new Uint8Array(40_000)
  bytes.set(new TextEncoder().encode(mark), at)
  return new File([bytes], name)
}

test('the block size of a file is recognised', async () => {
  const efi = await readFileHints(marked('a.raw', 'EFI PART', 2048))
  expect(blockSizeHint(efi, 2048)).toBeUndefined()
  expect(blockSizeHint(efi, 512)).toContain('byte 2048')
  const cd = await readFileHints(marked('a.iso', 'CD001', 0x8001))
  expect(blockSizeHint(cd, 512)).toContain('CDs have blocks of 2048 bytes')
  expect(blockSizeHint(cd, 2048)).toBeUndefined()
  expect(bootableHints(cd)).toEqual([])
})

test('a file that may not boot is recognised', async () => {
  const hints = bootableHints(await readFileHints(new File([new Uint8Array(10)], 'a.QCOW2')))
  expect(hints).toHaveLength(2)
  expect(hints[0]).toContain('.qcow2')
})

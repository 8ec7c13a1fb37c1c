/** Pieces of a volume are read ahead of their reader, who gets them in order. */
import { expect, test } from 'vitest'
import { READ_BYTES, readPieces, READS_AT_ONCE } from '../src/resources/storage/disks/contents.ts'

const PIECES = 12
const SIZE = PIECES * READ_BYTES - 1

/** A volume whose reads end when the test says so. */
function openVolume() {
  const reads: { offset: number; length: number; answer: () => void; fail: () => void }[] = []
  const read = (_: string, offset: number, length: number) => {
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
    const data = new Uint8Array(length).fill(offset / READ_BYTES)
    reads.push({
      offset,
      length,
      answer: () => resolve(data),
      fail: () => reject(new Error(`no bytes at ${offset}`)),
    })
    return promise
  }
  return { reads, pieces: readPieces({ volumes: { read } as never }, { volumeId: 'a' }, 0, SIZE) }
}

test('the reader gets all bytes in order, whatever the order of the answers', async () => {
  const { reads, pieces } = openVolume()
  for (let index = 0; index < PIECES; index++) {
    const next = pieces.next()
    expect(reads).toHaveLength(Math.min(index + READS_AT_ONCE, PIECES))
    for (const { answer } of reads.slice(index).toReversed()) answer()
    const { value } = await next
    expect(value![0]).toBe(index)
  }
  expect((await pieces.next()).done).toBe(true)
  expect(reads.map(({ length }) => length).reduce((sum, length) => sum + length)).toBe(SIZE)
  expect(reads.map(({ offset }) => offset)).toEqual(
    Array.from({ length: PIECES }, (_, index) => index * READ_BYTES),
  )
})

test('a reader that waits is not read for', async () => {
  const { reads, pieces } = openVolume()
  const first = pieces.next()
  for (const { answer } of reads) answer()
  await first
  expect(reads).toHaveLength(READS_AT_ONCE)
})

test('a failure comes in its turn', async () => {
  const { reads, pieces } = openVolume()
  const first = pieces.next()
  reads[1]!.fail()
  reads[0]!.answer()
  expect((await first).done).toBe(false)
  const second = pieces.next()
  for (const { answer } of reads) answer()
  await expect(second).rejects.toThrow(`no bytes at ${READ_BYTES}`)
})

test('a reader that leaves waits for the reads under way', async () => {
  const { reads, pieces } = openVolume()
  const first = pieces.next()
  reads[0]!.answer()
  await first
  let left = false
  const leaving = pieces.return(undefined).then(() => (left = true))
  await Promise.resolve()
  expect(left).toBe(false)
  for (const { answer } of reads) answer()
  await leaving
  expect(reads).toHaveLength(READS_AT_ONCE)
})

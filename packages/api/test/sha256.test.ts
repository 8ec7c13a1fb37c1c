import { createHash } from 'node:crypto'
import { Sha256 } from '@steading/api/sha256'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const reference = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

test.each([0, 1, 3, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1000])(
  'the checksum of %d bytes',
  (length) => {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 167) % 251)
    const sum = new Sha256()
    sum.update(bytes)
    expect(sum.digest()).toBe(reference(bytes))
  },
)

test('the checksum does not depend on the pieces, nor on their alignment in memory', () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 12 })
  fc.assert(
    fc.property(pieces, fc.nat(7), (parts, offset) => {
      const sum = new Sha256()
      for (const part of parts) {
        const moved = new Uint8Array(part.length + offset).subarray(offset)
        moved.set(part)
        sum.update(moved)
      }
      expect(sum.digest()).toBe(reference(Buffer.concat(parts)))
    }),
  )
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { filterOptions } from '../src/ui/form/combobox-field.tsx'
import { keptEnd } from '../src/ui/cut.tsx'
import { formatSize, inByteUnit } from '../src/ui/number.ts'
import { formatDistance } from '../src/ui/time.tsx'

describe('the end that a cut name keeps', () => {
  test.each([
    ['product-images-2026-11-28', '-2026-11-28'],
    ['volume-of-a-rather-long-name-017', '-name-017'],
    ['66f14cc0-4a59-44fc-afdc-2801830f9481', '830f9481'],
    ['product-images-nightly-20261127-123016', '-123016'],
    ['a-name-without-short-last-part', '-last-part'],
    ['debian-13.1-installer.iso', 'ller.iso'],
    ['BRM-0001-U2-0', '-U2-0'],
    ['web-front', undefined],
    ['Sled BRM42 does not respond', undefined],
    ['👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦', undefined],
  ])('of %s is %s', (name, end) => {
    expect(keptEnd(name)).toBe(end)
  })

  test('is kept of a name with spaces if it is known to be a name', () => {
    expect(keptEnd('Disk of the old server.iso', true)).toBe('rver.iso')
  })
})

test.each([
  [1, '1s'],
  [59, '59s'],
  [60, '1m'],
  [23 * 3600, '23h'],
  [86_400, '1d'],
  [28 * 86_400, '28d'],
  [30 * 86_400, '1mo'],
  [364 * 86_400, '12mo'],
  [366 * 86_400, '1y'],
])('%i seconds ago is %s', (seconds, expected) => {
  const now = Date.now()
  expect(formatDistance(new Date(now - seconds * 1000), now)).toBe(expected)
})

test('options match by text, ignoring case and spaces, in their own order', () => {
  const options = ['Zebra one', 'alpha', 'Alpha One'].map((label) => ({ value: label, label }))
  expect(filterOptions(options, 'aO').map((option) => option.label)).toEqual([
    'Zebra one',
    'Alpha One',
  ])
})

describe('sizes', () => {
  test.each([
    [0, '0 B'],
    [1023, '1,023 B'],
    [1024, '1 KiB'],
    [1500, '1.46 KiB'],
    [1.5 * 1024 ** 4, '1.5 TiB'],
    [2 ** 62, '4 EiB'],
  ])('%d bytes are %s', (bytes, text) => {
    expect(formatSize(bytes)).toBe(text)
  })

  test('sizes switch units at 1024', () => {
    const nearUnits = fc
      .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: -3, max: 3 }))
      .map(([power, offset]) => 1024 ** power + offset)
    fc.assert(
      fc.property(fc.oneof(nearUnits, fc.nat({ max: 2 ** 52 })), (bytes) => {
        expect(inByteUnit(bytes).amount).toBeLessThan(1024)
      }),
    )
  })
})

import {
  byteCountProblem,
  exactBytes,
  GiB,
  KiB,
  MiB,
  PiB,
  readableBytes,
  TiB,
} from '@steading/api/rules'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

test.each([
  [0, undefined],
  [2 ** 62, undefined],
  [-1, 'value is too small for a byte count'],
  [2 ** 63, 'value is too large for a byte count'],
])('byte count %d: %s', (bytes, problem) => {
  expect(byteCountProblem(bytes)).toBe(problem)
})

describe('exact form', () => {
  test.each([
    [0, '0 B'],
    [1, '1 B'],
    [1000, '1000 B'],
    [1023, '1023 B'],
    [KiB, '1 KiB'],
    [1.5 * MiB, '1536 KiB'],
    [GiB, '1 GiB'],
    [1023 * GiB, '1023 GiB'],
    [1.5 * TiB, '1536 GiB'],
    [TiB, '1 TiB'],
    [PiB, '1024 TiB'],
    [GiB + 1, `${GiB + 1} B`],
  ])('%d is %s', (bytes, text) => {
    expect(exactBytes(bytes)).toBe(text)
  })

  test('loses nothing', () => {
    const units: Record<string, number> = { B: 1, KiB, MiB, GiB, TiB }
    fc.assert(
      fc.property(fc.nat({ max: 2 ** 52 }), fc.constantFrom(1, KiB, MiB, GiB), (n, unit) => {
        const bytes = (n % 2 ** 20) * unit
        const [value, name] = exactBytes(bytes).split(' ') as [string, string]
        expect(Number(value) * units[name]!).toBe(bytes)
      }),
    )
  })
})

describe('readable form', () => {
  test.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [KiB, '1 KiB'],
    [1500, '1.46 KiB'],
    [1023 * GiB, '1023 GiB'],
    [1.5 * TiB, '1.5 TiB'],
    [10 * PiB, '10 PiB'],
    [2 ** 62, '4 EiB'],
  ])('%d is %s', (bytes, text) => {
    const { value, unit } = readableBytes(bytes)
    expect(`${value} ${unit}`).toBe(text)
  })

  test('never shows a thousand and twenty-four of anything', () => {
    const nearUnits = fc
      .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: -3, max: 3 }))
      .map(([power, offset]) => KiB ** power + offset)
    fc.assert(
      fc.property(fc.oneof(nearUnits, fc.nat({ max: 2 ** 52 })), (bytes) => {
        expect(Number(readableBytes(bytes).value)).toBeLessThan(1024)
      }),
    )
  })
})

import { byteCountProblem, exactBytes, GiB, KiB, MiB, PiB, TiB } from '@steading/api/rules'
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

  test('is lossless', () => {
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

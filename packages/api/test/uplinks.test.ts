/** Form warnings about blocks of address lots and networks of announce sets. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { announcementWarning, blocksWarning } from '../src/rules.ts'

const block = (first_address: string, last_address: string) => ({ first_address, last_address })

test.each([
  [[], undefined],
  [[block('192.0.2.1', '192.0.2.9'), block('192.0.2.10', '192.0.2.20')], undefined],
  [
    [block('192.0.2.9', '192.0.2.20'), block('192.0.2.1', '192.0.2.9')],
    'Blocks 192.0.2.1-192.0.2.9 and 192.0.2.9-192.0.2.20 overlap',
  ],
  // A number in the range of both versions is a different address in each.
  [[block('0.0.0.1', '0.0.0.9'), block('::1', '::9')], undefined],
  [
    [
      block('192.0.2.1', '192.0.2.99'),
      block('192.0.2.7', '192.0.2.7'),
      block('192.0.2.8', '192.0.2.8'),
    ],
    'Blocks 192.0.2.1-192.0.2.99 and 192.0.2.7 overlap',
  ],
  [
    [block('2001:DB8::', '2001:db8::f'), block('2001:db8::f', '2001:db8::ff')],
    'Blocks 2001:db8::-2001:db8::f and 2001:db8::f-2001:db8::ff overlap',
  ],
])('blocks %j', (blocks, warning) => {
  expect(blocksWarning(blocks)).toBe(warning)
})

test('blocks cause a warning if and only if two of them share an address', () => {
  const byte = fc.nat({ max: 40 })
  const range = fc.tuple(byte, byte).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)
  fc.assert(
    fc.property(fc.array(range, { maxLength: 5 }), (ranges) => {
      const shared = ranges.some(([first, last], index) =>
        ranges.some(([from, to], other) => other !== index && first <= to && from <= last),
      )
      const blocks = ranges.map(([first, last]) => block(`192.0.2.${first}`, `192.0.2.${last}`))
      expect(blocksWarning(blocks) !== undefined).toBe(shared)
    }),
  )
})

const lot = [block('192.0.2.0', '192.0.2.127')]

test.each([
  ['192.0.2.0/25', lot, undefined],
  ['192.0.2.0/24', undefined, undefined],
  [
    '192.0.2.0/24',
    lot,
    'network 192.0.2.0/24 is not in the address lot block 192.0.2.0-192.0.2.127',
  ],
  ['192.0.2.0/24', [...lot, ...lot], 'network 192.0.2.0/24 is not in any block of the address lot'],
  ['192.0.2.5/25', lot, 'network 192.0.2.5/25 has a host part: 192.0.2.0/25 is announced'],
  [
    '2001:db8::1/64',
    undefined,
    'network 2001:db8::1/64 has a host part: 2001:db8::/64 is announced',
  ],
  // Incomplete, or not accepted by the API.
  ['192.0.2', lot, undefined],
  ['192.0.2.5/025', lot, undefined],
])('network %s', (network, blocks, warning) => {
  expect(announcementWarning(network, blocks)).toBe(warning)
})

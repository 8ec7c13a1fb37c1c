import {
  contains,
  formatAddress,
  formatNetwork,
  guestAddressProblem,
  guestRange,
  ipv4NetProblem,
  ipv6NetProblem,
  ipVersion,
  lastAddress,
  type Network,
  networkAddress,
  parseAddress,
  parseNetwork,
} from '@steading/api/rules'
import fc from 'fast-check'
import { isIP } from 'node:net'
import { describe, expect, test } from 'vitest'

const v4Value = fc.bigInt({ min: 0n, max: 2n ** 32n - 1n })
/** Mostly zero, to produce runs of zeros. */
const groupValues: bigint[] = [0n, 0n, 0n, 1n, 0xabcdn]
const v6Value = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }),
  // Addresses with runs of zeros, where several abbreviations are possible.
  fc
    .array(fc.constantFrom(...groupValues), { minLength: 8, maxLength: 8 })
    .map((groups) => groups.reduce((value, group) => (value << 16n) | group, 0n)),
)
const address = fc.oneof(
  v4Value.map((value) => ({ version: 'v4' as const, value })),
  v6Value.map((value) => ({ version: 'v6' as const, value })),
)
const network: fc.Arbitrary<Network> = address.chain((from) =>
  fc
    .integer({ min: 0, max: from.version === 'v4' ? 32 : 128 })
    .map((width) => ({ ...from, width })),
)
const cidr = (text: string): Network => parseNetwork(text)!

describe('addresses', () => {
  test('text and value are equivalent', () => {
    fc.assert(
      fc.property(address, (original) => {
        expect(parseAddress(formatAddress(original))).toEqual(original)
      }),
    )
  })

  test('valid addresses are the same as for the platform', () => {
    const nearly = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.string({ unit: fc.constantFrom(...'0123456789abcf:.'), maxLength: 24 }),
      fc.tuple(fc.ipV6(), fc.nat()).map(([ip, at]) => ip.replace(ip[at % ip.length]!, ':')),
    )
    fc.assert(
      fc.property(nearly, (text) => {
        expect(ipVersion(text)).toBe({ 0: undefined, 4: 'v4', 6: 'v6' }[isIP(text)])
      }),
      { numRuns: 500 },
    )
  })

  test('the canonical form of IPv6 is the same as for the platform', () => {
    fc.assert(
      fc.property(v6Value, (value) => {
        const text = formatAddress({ version: 'v6', value })
        expect(`[${text}]`).toBe(new URL(`http://[${text}]/`).hostname)
      }),
    )
  })

  test.each([
    ['0:0:0:0:0:0:0:0', '::'],
    ['::1', '::1'],
    ['1::', '1::'],
    ['2001:DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['1:0:2:3:4:5:6:7', '1:0:2:3:4:5:6:7'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
    ['010.0.0.1', undefined],
    ['1.2.3', undefined],
    ['1.2.3.256', undefined],
    ['1:2:3:4:5:6:7', undefined],
    ['1::2::3', undefined],
    ['1:2:3:4:5:6:7::8', undefined],
    ['fe80::1%eth0', undefined],
    ['', undefined],
  ])('%s is %s', (text, canonical) => {
    const parsed = parseAddress(text)
    expect(parsed && formatAddress(parsed)).toBe(canonical)
  })
})

describe('networks', () => {
  test('contain the addresses from the first to the last, and no others', () => {
    fc.assert(
      fc.property(network, (net) => {
        const first = networkAddress(net)
        const last = lastAddress(net)
        expect(contains(net, net)).toBe(true)
        expect(contains(net, first)).toBe(true)
        expect(contains(net, last)).toBe(true)
        expect(contains(net, { ...first, value: first.value - 1n })).toBe(false)
        expect(contains(net, { ...last, value: last.value + 1n })).toBe(false)
        expect(last.value - first.value + 1n).toBe(
          2n ** BigInt((net.version === 'v4' ? 32 : 128) - net.width),
        )
      }),
    )
  })

  test('text and value are equivalent', () => {
    fc.assert(
      fc.property(network, (net) => {
        expect(parseNetwork(formatNetwork(net))).toEqual(net)
      }),
    )
  })

  test('versions never mix', () => {
    expect(contains(cidr('0.0.0.0/0'), parseAddress('::1')!)).toBe(false)
    expect(contains(cidr('::/0'), parseAddress('10.0.0.1')!)).toBe(false)
  })

  test.each(['10.0.0.0', '10.0.0.0/33', '::/129', '10.0.0.0/08', '10.0.0.0/', '/8', '10/8', 'x/8'])(
    '%s is not a network',
    (text) => expect(parseNetwork(text)).toBeUndefined(),
  )

  test('on the wire have no host bits, and the requested version', () => {
    expect(ipv4NetProblem('172.30.0.0/22')).toBeUndefined()
    expect(ipv4NetProblem('172.30.0.1/22')).toContain('172.30.0.1/22')
    expect(ipv4NetProblem('fd00::/48')).toContain('fd00::/48')
    expect(ipv6NetProblem('fd00::/48')).toBeUndefined()
    expect(ipv6NetProblem('fd00::1/48')).toContain('fd00::1/48')
    expect(ipv6NetProblem('10.0.0.0/8')).toContain('10.0.0.0/8')
  })
})

describe('addresses for guests', () => {
  test('exclude the first five, and the broadcast address of IPv4', () => {
    const v4 = guestRange(cidr('172.30.0.0/22'))
    expect(formatAddress({ version: 'v4', value: v4.first })).toBe('172.30.0.5')
    expect(formatAddress({ version: 'v4', value: v4.last })).toBe('172.30.3.254')
    const v6 = guestRange(cidr('fd12:3456:789a:1::/64'))
    expect(formatAddress({ version: 'v6', value: v6.first })).toBe('fd12:3456:789a:1::5')
    expect(formatAddress({ version: 'v6', value: v6.last })).toBe(
      'fd12:3456:789a:1:ffff:ffff:ffff:ffff',
    )
  })

  test.each([
    ['172.30.0.5', undefined],
    ['172.30.3.254', undefined],
    ['172.30.0.0', 'The first 5 addresses of a subnet are reserved'],
    ['172.30.0.4', 'The first 5 addresses of a subnet are reserved'],
    ['172.30.3.255', 'Cannot request a broadcast address'],
    ['172.30.4.0', '172.30.4.0 is outside subnet 172.30.0.0/22'],
    ['fd00::5', 'fd00::5 is outside subnet 172.30.0.0/22'],
  ])('%s: %s', (text, problem) => {
    expect(guestAddressProblem(cidr('172.30.0.0/22'), parseAddress(text)!)).toBe(problem)
  })

  test('include the last address of an IPv6 subnet', () => {
    const subnet = cidr('fd00::/64')
    expect(guestAddressProblem(subnet, lastAddress(subnet))).toBeUndefined()
  })
})

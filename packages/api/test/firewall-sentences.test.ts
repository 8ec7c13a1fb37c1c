/** Firewall rules as sentences, and rules that are written in one line. */
import {
  FIREWALL_PARTS_MAX,
  firewallRulesRefusal,
  firewallSentence,
  generatedRuleName,
  nameProblem,
  NO_PRIORITY_LEFT,
  parseService,
  parseSource,
  placeAfterLast,
  ruleOfOneLine,
  serviceMessages,
  servicePresets,
  sourceMismatch,
  type SpokenHost,
  type SpokenRule,
} from '@steading/api/rules'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const web: SpokenHost = { type: 'instance', value: 'web-1' }
const subnet: SpokenHost = { type: 'subnet', value: 'public' }
const ip = (value: string): SpokenHost => ({ type: 'ip', value })
const net = (value: string): SpokenHost => ({ type: 'ip_net', value })
const rule = (values: Partial<SpokenRule> = {}): SpokenRule => ({
  action: 'allow',
  direction: 'inbound',
  targets: [web],
  filters: { protocols: [{ type: 'tcp' }], ports: ['443'] },
  ...values,
})
const of = (filters: SpokenRule['filters'], values: Partial<SpokenRule> = {}) =>
  rule({ filters, ...values })

describe('a rule as a sentence', () => {
  test.each<[SpokenRule, string]>([
    [rule(), 'Allow TCP 443 from anywhere to web-1'],
    [rule({ action: 'deny' }), 'Deny TCP 443 from anywhere to web-1'],
    [rule({ direction: 'outbound' }), 'Allow TCP 443 from web-1 to anywhere'],
    [rule({ status: 'disabled' }), 'Allow TCP 443 from anywhere to web-1 (disabled)'],
    [rule({ status: 'enabled' }), 'Allow TCP 443 from anywhere to web-1'],
    [rule({ targets: [] }), 'Allow TCP 443 from anywhere to no instance'],
    [
      rule({ targets: [{ type: 'vpc', value: 'default' }] }),
      'Allow TCP 443 from anywhere to VPC default',
    ],
    [rule({ targets: [web, subnet] }), 'Allow TCP 443 from anywhere to web-1 and subnet public'],
    [of({}), 'Allow all traffic from anywhere to web-1'],
    [of({ hosts: null, ports: null, protocols: null }), 'Allow all traffic from anywhere to web-1'],
    [of({ hosts: [], ports: [], protocols: [] }), 'Allow all traffic from anywhere to web-1'],
    [of({ ports: ['22'] }), 'Allow TCP/UDP 22 from anywhere to web-1'],
    [of({ protocols: [{ type: 'udp' }] }), 'Allow UDP from anywhere to web-1'],
    [
      of({ protocols: [{ type: 'tcp' }, { type: 'udp' }], ports: ['53', '8000-8100'] }),
      'Allow TCP/UDP 53 and 8000-8100 from anywhere to web-1',
    ],
    [
      of({ protocols: [{ type: 'tcp' }], ports: ['1', '2', '3', '4', '5'] }),
      'Allow TCP 1, 2, 3 and 2 more ports from anywhere to web-1',
    ],
    [of({ protocols: [{ type: 'icmp', value: null }] }), 'Allow ICMPv4 from anywhere to web-1'],
    [
      of({ protocols: [{ type: 'tcp' }, { type: 'icmp', value: { icmpType: 8 } }] }),
      'Allow TCP and ping (ICMPv4) from anywhere to web-1',
    ],
    [
      of({ protocols: [{ type: 'icmp6', value: { icmpType: 128, code: '0' } }] }),
      'Allow ping (ICMPv6) from anywhere to web-1',
    ],
    [
      of({ protocols: [{ type: 'icmp', value: { icmpType: 8, code: '1' } }] }),
      'Allow ICMPv4 type 8 code 1 (echo request) from anywhere to web-1',
    ],
    [
      of({ protocols: [{ type: 'icmp', value: { icmpType: 3, code: '1-4' } }] }),
      'Allow ICMPv4 type 3 code 1-4 (destination unreachable) from anywhere to web-1',
    ],
    [
      of({ protocols: [{ type: 'icmp6', value: { icmpType: 200 } }] }),
      'Allow ICMPv6 type 200 from anywhere to web-1',
    ],
    // Ports never match ICMP, which the engines and the network model agree on.
    [
      of({ protocols: [{ type: 'tcp' }, { type: 'icmp', value: null }], ports: ['80'] }),
      'Allow TCP 80 (not ICMPv4: ports do not match it) from anywhere to web-1',
    ],
    [
      of({ protocols: [{ type: 'icmp', value: null }], ports: ['80'] }),
      'Allow no traffic (ports do not match ICMPv4) from anywhere to web-1',
    ],
    [of({ hosts: [ip('203.0.113.7')] }), 'Allow all traffic from 203.0.113.7 to web-1'],
    [of({ hosts: [net('0.0.0.0/0')] }), 'Allow all traffic from any IPv4 address to web-1'],
    [
      of({ hosts: [net('::/0'), net('10.0.0.0/8')] }),
      'Allow all traffic from any IPv6 address and 10.0.0.0/8 to web-1',
    ],
    [
      of({ hosts: [ip('192.0.2.1'), subnet, ip('192.0.2.2')] }),
      'Allow all traffic from 2 addresses and subnet public to web-1',
    ],
    [
      of(
        { hosts: [net('10.0.0.0/8'), net('10.1.0.0/16'), net('10.2.0.0/16')] },
        { direction: 'outbound', action: 'deny' },
      ),
      'Deny all traffic from web-1 to 3 networks',
    ],
  ])('%#: %j', (given, sentence) => expect(firewallSentence(given)).toBe(sentence))

  test('names everything where the whole sentence is asked for', () => {
    const hosts = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map(ip)
    const ports = ['1', '2', '3', '4', '5']
    expect(firewallSentence(of({ hosts, ports }), 'whole')).toBe(
      'Allow TCP/UDP 1, 2, 3, 4 and 5 from 192.0.2.1, 192.0.2.2 and 192.0.2.3 to web-1',
    )
  })
})

describe('typed traffic', () => {
  const read = (text: string) => {
    const parsed = parseService(text)
    if ('problem' in parsed) return parsed.problem
    const { protocols, ports } = parsed.service
    return [protocols.map(({ type }) => type).join('+'), ...ports].join(' ')
  }
  test.each([
    ['8080', 'tcp 8080'],
    [' 8080 ', 'tcp 8080'],
    ['08080', 'tcp 8080'],
    ['8000-8100', 'tcp 8000-8100'],
    ['8000 – 8100', 'tcp 8000-8100'],
    ['80-80', 'tcp 80'],
    ['tcp/8080', 'tcp 8080'],
    ['TCP 8080', 'tcp 8080'],
    ['udp:53', 'udp 53'],
    ['8080/udp', 'udp 8080'],
    ['tcp/udp 53', 'tcp+udp 53'],
    ['tcp+udp/53', 'tcp+udp 53'],
    ['80, 443,80', 'tcp 80 443'],
    ['udp/53, 123', 'udp 53 123'],
    ['udp/53, udp/123', 'udp 53 123'],
    ['ssh', 'tcp 22'],
    ['Remote desktop', 'tcp 3389'],
    ['ping', 'icmp'],
    ['Ping over IPv6', 'icmp6'],
    ['', serviceMessages.empty],
    ['  ', serviceMessages.empty],
    ['0', serviceMessages.outOfRange],
    ['65536', serviceMessages.outOfRange],
    ['1-99999', serviceMessages.outOfRange],
    ['8100-8000', serviceMessages.reversed('8100-8000')],
    ['tcp', serviceMessages.noPort('tcp')],
    ['udp/', serviceMessages.noPort('udp')],
    ['tcp/80, udp/53', serviceMessages.severalProtocols],
    ['80, udp/53', serviceMessages.severalProtocols],
    ['icmp', serviceMessages.icmp],
    ['icmp6 type 3', serviceMessages.icmp],
    ['sshd', serviceMessages.notPorts('sshd')],
    ['80 443', serviceMessages.notPorts('80 443')],
    ['80,', serviceMessages.notPorts('80,')],
    ['-80', serviceMessages.notPorts('-80')],
    ['80-', serviceMessages.notPorts('80-')],
    ['1-2-3', serviceMessages.notPorts('1-2-3')],
    ['tcp/80/udp', serviceMessages.notPorts('tcp/80/udp')],
    ['1e3', serviceMessages.notPorts('1e3')],
    ['80.5', serviceMessages.notPorts('80.5')],
    ['sctp/80', serviceMessages.notPorts('sctp/80')],
    [
      Array.from({ length: FIREWALL_PARTS_MAX + 1 }, (_, index) => index + 1).join(','),
      serviceMessages.tooMany,
    ],
  ])('%j', (text, outcome) => expect(read(text)).toBe(outcome))

  test('is a valid rule of the typed ports, or refused', () => {
    const piece = fc.constantFrom('tcp', 'udp', '/', ':', ',', ', ', '-', ' ', '+', '0', '8', '443')
    const texts = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''))
    const holds = fc.property(texts, (text) => {
      const parsed = parseService(text)
      if ('problem' in parsed) return parsed.problem !== ''
      const made = ruleOfOneLine({ service: parsed.service, source: null, target: web })
      const typed = new Set(text.match(/\d+/g)?.map(Number))
      return (
        firewallRulesRefusal([{ name: 'a', ...made }], 'default') === undefined &&
        made.filters.ports.length > 0 &&
        made.filters.ports
          .flatMap((range) => range.split('-'))
          .every((port) => typed.has(Number(port)))
      )
    })
    expect(() => fc.assert(holds)).not.toThrow()
  })

  test('has a preset of each name once', () => {
    for (const key of ['slug', 'label'] as const) {
      expect(new Set(servicePresets.map((preset) => preset[key])).size).toBe(servicePresets.length)
    }
    for (const preset of servicePresets) {
      expect(parseService(preset.label)).toEqual({ service: preset })
    }
  })
})

describe('a typed source', () => {
  const read = (text: string) => {
    const parsed = parseSource(text)
    return 'problem' in parsed ? parsed.problem : `${parsed.host.type} ${parsed.host.value}`
  }
  test.each([
    ['203.0.113.7', 'ip 203.0.113.7'],
    [' 2001:db8::1 ', 'ip 2001:db8::1'],
    ['203.0.113.0/24', 'ip_net 203.0.113.0/24'],
    ['10.0.0.0/08', 'ip_net 10.0.0.0/8'],
    ['::/0', 'ip_net ::/0'],
    ['10.0.0.0/33', 'Max width for IPv4 is 32'],
    ['256.0.0.1', 'Must contain an IP address and a width, separated by a /'],
  ])('%j: %s', (text, outcome) => expect(read(text)).toBe(outcome))
  test.each(['webb-1', '10.0.0.1-10.0.0.9', 'fe80'])('%j is refused', (text) =>
    expect(read(text)).toContain('is not in the list'),
  )

  test('has to have the version of a ping', () => {
    const service = (text: string) => {
      const parsed = parseService(text)
      if ('problem' in parsed) throw new Error(parsed.problem)
      return parsed.service
    }
    expect(sourceMismatch(service('ping'), ip('2001:db8::1'))).toContain('Ping over IPv6')
    expect(sourceMismatch(service('ping6'), net('10.0.0.0/8'))).toContain('choose Ping')
    expect(sourceMismatch(service('ping'), net('10.0.0.0/8'))).toBeUndefined()
    expect(sourceMismatch(service('ping'), subnet)).toBeUndefined()
    expect(sourceMismatch(service('ssh'), ip('2001:db8::1'))).toBeUndefined()
    expect(sourceMismatch(service('ping6'), null)).toBeUndefined()
  })
})

describe('the place of a new rule', () => {
  const placed = (priority: number, direction: 'inbound' | 'outbound' = 'inbound') => ({
    name: `p${priority}`,
    priority,
    direction,
  })
  test.each([
    [[], { priority: 100, after: undefined }],
    [[placed(65534), placed(65535)], { priority: 100, after: undefined }],
    [[placed(0), placed(50)], { priority: 60, after: 'p50' }],
    [[placed(50), placed(0), placed(65534)], { priority: 60, after: 'p50' }],
    [[placed(5000, 'outbound'), placed(7)], { priority: 17, after: 'p7' }],
    [[placed(65530)], { priority: 65533, after: 'p65530' }],
    [[placed(65533)], { priority: undefined, after: 'p65533' }],
  ])('%j', (rules, place) => expect(placeAfterLast(rules, 'inbound')).toEqual(place))
  test('is told if there is none', () => expect(NO_PRIORITY_LEFT).toContain('Change order'))
})

test('names of new rules are valid and not taken', () => {
  const parsed = parseService('8000-8100')
  if ('problem' in parsed) throw new Error(parsed.problem)
  const { service } = parsed
  const none = new Set<string>()
  expect(generatedRuleName(service, null, web, none)).toBe(
    'allow-tcp-8000-8100-from-anywhere-to-web-1',
  )
  const taken = new Set(['allow-tcp-8000-8100-from-anywhere-to-web-1'])
  expect(generatedRuleName(service, null, web, taken)).toBe(
    'allow-tcp-8000-8100-from-anywhere-to-web-1-2',
  )
  const long: SpokenHost = { type: 'instance', value: 'x'.repeat(63) }
  const first = generatedRuleName(service, net('2001:db8::/32'), long, none)
  const second = generatedRuleName(service, net('2001:db8::/32'), long, new Set([first]))
  expect(second).not.toBe(first)
  for (const name of [first, second, generatedRuleName(service, net('::/0'), web, none)]) {
    expect(nameProblem(name)).toBeUndefined()
  }
})

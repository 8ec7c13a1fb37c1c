/** Parts of firewall rules in the API and in forms (networking 2.4 and 2.5). */
import { parseBody, tables } from '@steading/api'
import {
  FIREWALL_PARTS_MAX,
  FIREWALL_RULES_MAX,
  firewallRulesRefusal,
  formatRange,
  icmpCodeFieldProblem,
  icmpTypeFieldProblem,
  type LimitedRule,
  parseIcmpCodes,
  parsePortRange,
  portRangeFieldProblem,
  typedIcmpCode,
} from '@steading/api/rules'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const ports = (text: string) => {
  const parsed = parsePortRange(text)
  return 'range' in parsed ? formatRange(parsed.range) : parsed.problem
}
const codes = (text: string) => {
  const parsed = parseIcmpCodes(text)
  return 'range' in parsed ? formatRange(parsed.range) : parsed.problem
}
const unparsable = (text: string, why: string) => `"${text}" unparsable for type: ${why}`
const NO_DIGITS = 'invalid digit found in string'
const TOO_LARGE = 'number too large to fit in target type'

describe('ports of the API', () => {
  test.each([
    ['22', '22'],
    ['6000-7000', '6000-7000'],
    ['1-65535', '1-65535'],
    ['80-80', '80'],
    ['0022', '22'],
    ['7000-6000', '7000-6000'],
    ['-22', 'range has no start value'],
    ['22-', 'range has no end value'],
    ['-', 'range has no start value'],
    ['', unparsable('', 'cannot parse integer from empty string')],
    ['0', unparsable('0', 'number would be zero for non-zero type')],
    ['0-5', unparsable('0', 'number would be zero for non-zero type')],
    ['65536', unparsable('65536', TOO_LARGE)],
    ['1-99999', unparsable('99999', TOO_LARGE)],
    ['ssh', unparsable('ssh', NO_DIGITS)],
    [' 22', unparsable(' 22', NO_DIGITS)],
    ['1-2-3', unparsable('2-3', NO_DIGITS)],
    ['+22', unparsable('+22', NO_DIGITS)],
    ['2e1', unparsable('2e1', NO_DIGITS)],
  ])('%j: %s', (text, outcome) => expect(ports(text)).toBe(outcome))
})

test.each([
  ['0', '0'],
  ['255', '255'],
  ['0-255', '0-255'],
  ['003-004', '3-4'],
  ['256', unparsable('256', TOO_LARGE)],
  ['a', unparsable('a', NO_DIGITS)],
  ['3-', 'range has no end value'],
  ['-3', 'range has no start value'],
])('ICMP codes of the API %j: %s', (text, outcome) => expect(codes(text)).toBe(outcome))

const NOT_A_RANGE = 'Not a valid port range'

describe('ports of a form', () => {
  test.each([
    ['12356', undefined],
    ['5-5', undefined],
    ['  1-45690', undefined],
    ['1-2\t', undefined],
    ['239032', NOT_A_RANGE],
    ['123-45', NOT_A_RANGE],
    ['12a5', NOT_A_RANGE],
    ['', NOT_A_RANGE],
    ['1 - 2', NOT_A_RANGE],
    ['-2', NOT_A_RANGE],
    ['2-', NOT_A_RANGE],
    ['1-2-3', NOT_A_RANGE],
    ['1–2', NOT_A_RANGE],
  ])('%j: %s', (text, problem) => expect(portRangeFieldProblem(text)).toBe(problem))
})

const TYPE = 'ICMP type must be a number between 0 and 255'
const CODE = 'ICMP code must be a number or numeric range'

test.each([
  ['', undefined],
  [' 8 ', undefined],
  ['0', undefined],
  ['255', undefined],
  ['256', TYPE],
  ['-1', TYPE],
  ['echo', TYPE],
  ['1.5', TYPE],
])('ICMP type of a form %j: %s', (text, problem) =>
  expect(icmpTypeFieldProblem(text)).toBe(problem),
)

test.each([
  ['', undefined],
  [' 0 ', undefined],
  ['255', undefined],
  ['1-3', undefined],
  ['3-3', undefined],
  ['256', 'ICMP code must be between 0 and 255'],
  ['256-257', 'ICMP code range start must be between 0 and 255'],
  ['1-256', 'ICMP code range end must be between 0 and 255'],
  ['4-3', 'ICMP code range start must be less than or equal to range end'],
  ['a', CODE],
  ['1-', CODE],
  ['-1', CODE],
  ['1 - 2', CODE],
])('ICMP code of a form %j: %s', (text, problem) =>
  expect(icmpCodeFieldProblem(text)).toBe(problem),
)

test.each([
  ['1–2', '1-2'],
  ['1—2', '1-2'],
  ['1--2', '1-2'],
  ['1-–—-2', '1-2'],
  ['12', '12'],
])('typing %j into the field for codes leaves %j', (typed, left) =>
  expect(typedIcmpCode(typed)).toBe(left),
)

const port = fc.integer({ min: 1, max: 65535 })
const code = fc.integer({ min: 0, max: 255 })
const ordered = (number: fc.Arbitrary<number>) =>
  fc.tuple(number, number).map(([a, b]) => ({ first: Math.min(a, b), last: Math.max(a, b) }))

describe('for any text', () => {
  test('a formatted range is parsed to the same range', () => {
    fc.assert(
      fc.property(ordered(port), (range) => {
        expect(parsePortRange(formatRange(range))).toEqual({ range })
        expect(portRangeFieldProblem(formatRange(range))).toBeUndefined()
      }),
    )
    fc.assert(
      fc.property(ordered(code), (range) => {
        expect(parseIcmpCodes(formatRange(range))).toEqual({ range })
        expect(icmpCodeFieldProblem(formatRange(range))).toBeUndefined()
      }),
    )
  })

  const almost = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom(...'0123456789-– ') }),
    fc.string({ unit: fc.constantFrom(...'0123456789-'), maxLength: 6 }),
  )

  test('forms accept all texts that the API accepts, except zero and too large numbers', () => {
    fc.assert(
      fc.property(almost, (text) => {
        const parsed = parsePortRange(text.trim())
        if (portRangeFieldProblem(text) === undefined && 'problem' in parsed) {
          expect(parsed.problem).toMatch(/too large|would be zero/)
        }
        if ('range' in parsed && text.length <= 11 && parsed.range.first <= parsed.range.last) {
          // Leading zeros may make more than five digits.
          if (!/\d{6}/.test(text)) expect(portRangeFieldProblem(text)).toBeUndefined()
        }
      }),
    )
  })

  test('the API accepts all codes that a form accepts', () => {
    fc.assert(
      fc.property(almost, (text) => {
        if (text.trim() === '' || icmpCodeFieldProblem(text) !== undefined) return
        const parsed = parseIcmpCodes(text.trim())
        expect('range' in parsed && parsed.range.first <= parsed.range.last).toBe(true)
      }),
    )
  })
})

const rule = (values: Partial<LimitedRule> = {}): LimitedRule => ({
  name: 'a',
  targets: [],
  filters: {},
  ...values,
})
const many = <T>(count: number, item: (index: number) => T) =>
  Array.from({ length: count }, (_, i) => item(i))
const refusal = (...rules: LimitedRule[]) => firewallRulesRefusal(rules, 'net')?.message
const host = { type: 'subnet', value: 'a' }
const max256 = (label: string) => `unsupported value for "${label}": max length 256`
const FULL = FIREWALL_PARTS_MAX

describe('a set of rules', () => {
  test('may have the maximum numbers of rules and parts', () => {
    expect(refusal()).toBeUndefined()
    expect(refusal(...many(FIREWALL_RULES_MAX, (i) => rule({ name: `r${i}` })))).toBeUndefined()
    const full = {
      hosts: many(FULL, () => host),
      ports: many(FULL, () => '1'),
      protocols: many(FULL, () => ({ type: 'tcp' })),
    }
    expect(refusal(rule({ targets: full.hosts, filters: full }))).toBeUndefined()
    expect(
      refusal(rule({ filters: { hosts: null, ports: null, protocols: null } })),
    ).toBeUndefined()
  })

  test.each<[string, LimitedRule[]]>([
    [
      'unsupported value for "rules": max length 1024',
      many(FIREWALL_RULES_MAX + 1, (i) => rule({ name: `r${i}` })),
    ],
    [max256('targets'), [rule({ targets: many(FULL + 1, () => host) })]],
    [max256('filters.hosts'), [rule({ filters: { hosts: many(FULL + 1, () => host) } })]],
    [max256('filters.ports'), [rule({ filters: { ports: many(FULL + 1, () => '1') } })]],
    [
      max256('filters.protocols'),
      [rule({ filters: { protocols: many(FULL + 1, () => ({ type: 'tcp' })) } })],
    ],
    [
      'unsupported value for "rules": Rule names must be unique. Duplicates: ["b", "a"]',
      ['a', 'b', 'c', 'b', 'a', 'a'].map((name) => rule({ name })),
    ],
    [
      'unsupported value for "l4_port_range": range has larger start value than end value',
      [rule({ filters: { ports: ['1', '2-1'] } })],
    ],
    [
      'unsupported value for "code": range has larger start value than end value',
      [rule({ filters: { protocols: [{ type: 'icmp', value: { code: '2-1' } }] } })],
    ],
    [
      'cross-VPC firewall target unsupported',
      [rule({ targets: [host, { type: 'vpc', value: 'other' }] })],
    ],
    [
      'cross-VPC firewall host filter unsupported',
      [rule({ filters: { hosts: [{ type: 'vpc', value: 'other' }] } })],
    ],
  ])('is refused: %s', (message, rules) => expect(refusal(...rules)).toBe(message))

  test('may name its own VPC, and a subnet with the name of another VPC', () => {
    const hosts = [
      { type: 'vpc', value: 'net' },
      { type: 'subnet', value: 'other' },
    ]
    expect(refusal(rule({ targets: hosts, filters: { hosts } }))).toBeUndefined()
  })
})

describe('a body', () => {
  const { body } = tables.firewallRuleOperations.vpc_firewall_rules_update
  const whole = (filters: object, more: object = {}) => ({
    rules: [
      {
        name: 'a',
        description: '',
        status: 'enabled',
        direction: 'inbound',
        targets: [],
        action: 'allow',
        priority: 0,
        filters,
        ...more,
      },
    ],
  })
  const parse = (value: unknown, version?: number) =>
    (
      parseBody(body, JSON.stringify(value), version) as {
        rules: { filters: Record<string, unknown> }[]
      }
    ).rules
  const problem = (value: unknown, version?: number): string => {
    try {
      parse(value, version)
      return 'taken'
    } catch (error) {
      return (error as Error).message.replace(/ at line .*/, '')
    }
  }

  test('may have no rules', () => expect(parse({})).toEqual([]))

  test('normalizes ranges', () => {
    const [{ filters }] = parse(
      whole({
        ports: ['080', '1-1'],
        protocols: [{ type: 'icmp', value: { icmp_type: 3, code: '01-02' } }],
      }),
    ) as [{ filters: object }]
    expect(filters).toEqual({
      ports: ['80', '1'],
      protocols: [{ type: 'icmp', value: { icmp_type: 3, code: '1-2' } }],
    })
  })

  test.each<[string, object]>([
    ['rules[0].filters.ports[0]: range has no start value', whole({ ports: ['-1'] })],
    ['rules[0].filters.ports[1]: range has no end value', whole({ ports: ['1', '1-'] })],
    [`rules[0].filters.ports[0]: ${unparsable('x', NO_DIGITS)}`, whole({ ports: ['x'] })],
    [
      'rules[0].filters.ports[0]: invalid type: integer `22`, expected a string',
      whole({ ports: [22] }),
    ],
    [
      `rules[0].filters.protocols[0].value.code: ${unparsable('256', TOO_LARGE)}`,
      whole({ protocols: [{ type: 'icmp', value: { icmp_type: 3, code: '256' } }] }),
    ],
    [
      'rules[0].filters.protocols[0].value.icmp_type: invalid value: integer `256`, expected u8',
      whole({ protocols: [{ type: 'icmp6', value: { icmp_type: 256 } }] }),
    ],
    [
      'rules[0].filters.protocols[0]: missing field `value`',
      whole({ protocols: [{ type: 'icmp' }] }),
    ],
    [
      'rules[0].filters.protocols[0]: unknown variant `sctp`, expected one of `tcp`, `udp`, `icmp`, `icmp6`',
      whole({ protocols: [{ type: 'sctp' }] }),
    ],
    [
      'rules[0].targets[0]: unknown variant `host`, expected one of `vpc`, `subnet`, `instance`, `ip`, `ip_net`',
      whole({}, { targets: [{ type: 'host', value: 'a' }] }),
    ],
    [
      'rules[0].targets[0].value: invalid IP address syntax',
      whole({}, { targets: [{ type: 'ip', value: '1.2.3' }] }),
    ],
    [
      'rules[0].targets[0].value: data did not match any variant of untagged enum IpNet',
      whole({}, { targets: [{ type: 'ip_net', value: '1.2.3.4' }] }),
    ],
    [
      'rules[0].priority: invalid value: integer `65536`, expected u16',
      whole({}, { priority: 65536 }),
    ],
    ['rules[0].priority: invalid value: integer `-1`, expected u16', whole({}, { priority: -1 })],
    [
      'rules[0].action: unknown variant `drop`, expected `allow` or `deny`',
      whole({}, { action: 'drop' }),
    ],
    ['rules[0]: missing field `filters`', whole({}, { filters: undefined })],
  ])('is refused: %s', (message, value) =>
    expect(problem(value)).toBe(`unable to parse JSON body: ${message}`),
  )

  test('may have host bits in a network', () => {
    expect(problem(whole({ hosts: [{ type: 'ip_net', value: '10.1.1.1/24' }] }))).toBe('taken')
  })

  test('may name protocols by words if the client names no version', () => {
    const old = whole({ protocols: ['TCP', 'UDP', 'ICMP'] })
    expect(parse(old)[0]!.filters.protocols).toEqual([
      { type: 'tcp' },
      { type: 'udp' },
      { type: 'icmp', value: null },
    ])
    expect(problem(old, 2026081700)).toContain(
      'rules[0].filters.protocols[0]: invalid type: string',
    )
  })
})

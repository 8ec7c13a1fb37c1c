import { expect, test } from 'vitest'
import { rowsOf } from '../src/workspace/setting-versions/property-rows.ts'

const rule = {
  action: 'allow',
  description: '',
  direction: 'inbound',
  priority: 100,
  status: 'enabled',
  targets: [{ type: 'instance', value: 'web-1' }],
  filters: { hosts: null, ports: ['443'], protocols: [{ type: 'tcp' }] },
}
const difference = (before: object | undefined, after: object | undefined) => ({
  key: 'web',
  change: !before ? ('added' as const) : after ? ('changed' as const) : ('removed' as const),
  before,
  after,
})

test('a firewall rule is compared as a sentence', () => {
  const ping = {
    ...rule,
    filters: { protocols: [{ type: 'icmp', value: { icmpType: 8, code: null } }] },
  }
  expect(rowsOf('firewall_rules', difference(rule, { ...ping, priority: 5 }))).toEqual([
    {
      label: undefined,
      property: 'sentence',
      before: 'Allow TCP 443 from anywhere to web-1',
      after: 'Allow ping (ICMPv4) from anywhere to web-1',
    },
    { label: 'priority', property: 'priority', before: 100, after: 5 },
  ])
  const added = rowsOf('firewall_rules', difference(undefined, rule))
  expect(added.map(({ label, after }) => [label, after])).toEqual([
    [undefined, 'Allow TCP 443 from anywhere to web-1'],
    ['priority', 100],
  ])
})

test('what a sentence does not tell is compared by its properties', () => {
  const rows = (changes: object) =>
    rowsOf('firewall_rules', difference(rule, { ...rule, ...changes })).map(
      ({ property }) => property,
    )
  expect(rows({ priority: 5 })).toEqual(['priority'])
  // Empty filters mean the same as none.
  expect(rows({ filters: { ...rule.filters, hosts: [] } })).toEqual(['filters'])
})

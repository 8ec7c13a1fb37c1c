/** The traffic that rules let in from outside, compared with the decisions about single packets. */
import { parseAddress } from '@steading/api/rules'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  compile,
  decide,
  emptyRows,
  type Ingress,
  ingresses,
  type Interface,
  type RuleRow,
} from '../src/index.ts'
import { worlds } from './support/random-world.ts'
import { addDefaultRules, addInstance, addRule, addSubnet, addVpc } from './support/world.ts'

const ports = [1, 22, 23, 80, 81, 443, 444, 999, 1000, 8080, 8081, 49_152, 65_535]

const lets = (
  found: readonly Ingress[],
  protocol: string,
  port: number,
  source: string,
): boolean => {
  const { version, value } = parseAddress(source)!
  const within = ({ first, last }: { first: string; last: string }) =>
    parseAddress(first)!.value <= value && value <= parseAddress(last)!.value
  return found.some(
    (ingress) =>
      ingress.protocol === protocol &&
      ingress.first <= port &&
      port <= ingress.last &&
      (ingress.sources === null ||
        ingress.sources.some(
          (span) => parseAddress(span.first)!.version === version && within(span),
        )),
  )
}

/** Addresses at and around the boundaries of everything that rules mention. */
function sourcesAround(at: Interface, version: 'v4' | 'v6'): string[] {
  const texts = at.vpc.rules.flatMap(({ row }) =>
    (row.filters.hosts ?? []).flatMap(({ type, value }) =>
      type === 'ip' || type === 'ip_net' ? [value.split('/')[0]!] : [],
    ),
  )
  const own = at.addresses[version]
  return [
    ...texts,
    ...(version === 'v4'
      ? ['0.0.0.0', '127.0.0.1', '192.0.2.7', '255.255.255.255']
      : ['::', '::1', '2001:db8::7', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff']),
    ...(own ? [version === 'v4' ? '172.30.0.9' : 'fd00::9'] : []),
  ].filter((text) => parseAddress(text)?.version === version)
}

test('ingresses let in exactly the packets that the rules allow from outside', () => {
  fc.assert(
    fc.property(worlds, fc.nat(), (rows, pick) => {
      const all = [...compile(rows).interfaces.values()]
      const at = all[pick % all.length]!
      for (const version of ['v4', 'v6'] as const) {
        const found = ingresses(at, version)
        for (const protocol of ['tcp', 'udp'] as const) {
          for (const source of sourcesAround(at, version)) {
            const peer = { address: parseAddress(source)!, inside: false }
            for (const port of ports) {
              const { action } = decide(at, 'inbound', peer, protocol, port)
              expect(lets(found, protocol, port, source)).toBe(action === 'allow')
            }
          }
        }
      }
    }),
    { numRuns: 30 },
  )
})

test('ingresses are sorted, and no two could be one', () => {
  fc.assert(
    fc.property(worlds, (rows) => {
      for (const at of compile(rows).interfaces.values()) {
        for (const protocol of ['tcp', 'udp'] as const) {
          const found = ingresses(at, 'v4').filter((ingress) => ingress.protocol === protocol)
          for (const [index, ingress] of found.entries()) {
            expect(ingress.first).toBeLessThanOrEqual(ingress.last)
            const next = found[index + 1]
            if (!next) continue
            expect(next.first).toBeGreaterThan(ingress.last)
            if (next.first === ingress.last + 1) expect(next.sources).not.toEqual(ingress.sources)
          }
        }
      }
    }),
  )
})

/** The ingresses of an instance in a VPC with the default rules and others. */
function ingressesWith(rules: Record<string, Partial<Omit<RuleRow, 'id' | 'name' | 'vpc_id'>>>) {
  const rows = emptyRows()
  addVpc(rows, 'vpc')
  addSubnet(rows, 'vpc', 'subnet', ['172.30.0.0/22', 'fd00:1::/64'])
  addInstance(rows, 'vpc', 'web', [{ subnet: 'subnet', ipv4: '172.30.0.5' }])
  addDefaultRules(rows, 'vpc')
  for (const [name, rule] of Object.entries(rules)) addRule(rows, 'vpc', name, rule)
  return ingresses([...compile(rows).interfaces.values()][0]!, 'v4')
}
const tcp = [{ type: 'tcp' as const }]
const everybody = (first: number, last = first) => ({
  protocol: 'tcp',
  first,
  last,
  sources: null,
})

test('the default rules let in SSH from everywhere', () => {
  expect(ingressesWith({})).toEqual([everybody(22)])
})

test('ports for stated sources are apart from those for all', () => {
  const hosts = [{ type: 'ip_net' as const, value: '203.0.113.0/24' }]
  const office = [{ first: '203.0.113.0', last: '203.0.113.255' }]
  expect(
    ingressesWith({ office: { filters: { hosts, protocols: tcp, ports: ['20-24'] } } }),
  ).toEqual([
    { protocol: 'tcp', first: 20, last: 21, sources: office },
    everybody(22),
    { protocol: 'tcp', first: 23, last: 24, sources: office },
  ])
})

test('a denied network is left out of the sources', () => {
  const hosts = [{ type: 'ip' as const, value: '203.0.113.9' }]
  expect(ingressesWith({ banned: { action: 'deny', filters: { hosts } } })).toEqual([
    {
      protocol: 'tcp',
      first: 22,
      last: 22,
      sources: [
        { first: '0.0.0.0', last: '203.0.113.8' },
        { first: '203.0.113.10', last: '255.255.255.255' },
      ],
    },
  ])
})

test('a denial for all leaves nothing', () => {
  expect(ingressesWith({ closed: { action: 'deny' } })).toEqual([])
})

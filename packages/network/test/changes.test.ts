/** What a change opens and closes. */
import { NETWORK_CHANGE_LIMITS } from '@steading/api/rules'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  ask,
  type Changes,
  compareNetworks,
  compile,
  type NetworkRows,
  type Question,
} from '../src/index.ts'
import { rule, route, worlds } from './support/random-world.ts'
import { addExternalIp, addInstance, addRule, bastionWorld } from './support/world.ts'

function compare(
  before: NetworkRows,
  after: NetworkRows,
  limits: Partial<typeof NETWORK_CHANGE_LIMITS> = {},
): Changes {
  const work = compareNetworks(compile(before), compile(after), 'vpc shop', {
    ...NETWORK_CHANGE_LIMITS,
    ...limits,
  })
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

/** A line for each change: from whom, to whom, what. */
const lines = ({ changes }: Changes) =>
  changes.map(({ from, to, gained, lost }) => {
    const end = ({ instances, outside }: typeof from) =>
      [...instances.map(({ name }) => name), ...outside].join(' ')
    const traffic = (list: typeof gained) =>
      list.map(({ protocol, ports }) => [protocol, ...ports].join(' ')).join(', ')
    return `${end(from)} → ${end(to)} +[${traffic(gained)}] -[${traffic(lost)}]`
  })

const changed = (change: (rows: NetworkRows) => void): [NetworkRows, NetworkRows] => {
  const after = bastionWorld()
  change(after)
  return [bastionWorld(), after]
}

test('without a change, nothing opens or closes', () => {
  expect(compare(...changed(() => {}))).toEqual({
    changes: [],
    more_changes: 0,
    left_out: { instances: 0, networks: 0, pairs: 0 },
  })
})

test('the rule that lets the bastion in is the only way to the database', () => {
  const plan = compare(
    ...changed((rows) => {
      rows.firewall_rules = rows.firewall_rules.filter(
        ({ name }) => name !== 'postgres-from-bastion',
      )
    }),
  )
  expect(lines(plan)).toEqual(['bastion → db +[] -[tcp 5432]'])
})

test('a rule for everybody opens what was closed, and no more', () => {
  const plan = compare(
    ...changed((rows) =>
      addRule(rows, 'shop', 'web', { filters: { protocols: [{ type: 'tcp' }], ports: ['22-80'] } }),
    ),
  )
  expect(lines(plan).toSorted()).toEqual([
    'bastion → db +[tcp 22-80] -[]',
    // The internet has no IPv6 to it.
    'db → bastion +[tcp 23-80] -[]',
    'internet → bastion +[tcp 23-80] -[]',
  ])
})

test('a network outside that a rule names is compared by itself', () => {
  const plan = compare(
    ...changed((rows) =>
      addRule(rows, 'shop', 'office', {
        filters: { hosts: [{ type: 'ip_net', value: '203.0.113.0/24' }], ports: ['443'] },
      }),
    ),
  )
  expect(lines(plan)).toEqual(['203.0.113.0/24 → bastion +[tcp 443, udp 443] -[]'])
})

test('instances that nothing tells apart are one line', () => {
  const build = () => {
    const rows = bastionWorld()
    for (let number = 20; number < 60; number++) {
      addInstance(rows, 'shop', `web-${number}`, [{ subnet: 'public', ipv4: `172.30.0.${number}` }])
      addExternalIp(rows, 'snat', `198.51.100.${number}`, `web-${number}`)
    }
    return rows
  }
  const after = build()
  addRule(after, 'shop', 'no-internet', {
    direction: 'outbound',
    action: 'deny',
    targets: [{ type: 'subnet', value: 'public' }],
    filters: { hosts: [{ type: 'ip_net', value: '0.0.0.0/0' }], protocols: [{ type: 'tcp' }] },
  })
  const plan = compare(build(), after)
  const toInternet = plan.changes.find(({ to }) => to.outside.includes('internet'))!
  expect(toInternet).toMatchObject({ from: { total: 41, outside: [] }, pairs: 41, gained: [] })
  expect(toInternet.from.instances).toHaveLength(NETWORK_CHANGE_LIMITS.names)
})

test('what is left out is counted', () => {
  const plan = compare(...changed((rows) => addRule(rows, 'shop', 'all', {})), {
    instances: 1,
    pairs: 1,
    changes: 0,
  })
  expect(plan).toMatchObject({ changes: [], more_changes: 1, left_out: { instances: 1, pairs: 1 } })
})

/** Whether a text like `80-443` names a port; of ICMP, the code 0 of a type. */
function includes(text: string, port: number): boolean {
  const [range = '', codes = '0'] = text.split('/')
  const [first, last = first] = range.split('-')
  return Number(first) <= port && port <= Number(last) && codes.split('-')[0] === '0'
}

/** A rule more or less, or a route. */
const edit = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), rule: rule('shop') }),
  fc.record({ kind: fc.constant('remove' as const), index: fc.nat(9) }),
  fc.record({ kind: fc.constant('route' as const), route }),
  fc.record({ kind: fc.constant('transit' as const), index: fc.nat(9) }),
)

test('a change names exactly the connections that questions find opened or closed', () => {
  fc.assert(
    fc.property(worlds, edit, (before, change) => {
      for (const one of before.instances) one.run_state = 'running'
      const after = structuredClone(before)
      switch (change.kind) {
        case 'add':
          addRule(after, 'shop', 'new', change.rule)
          break
        case 'remove':
          after.firewall_rules.splice(change.index, 1)
          break
        case 'route':
          after.routes.push({
            ...change.route,
            id: 'new route',
            vpc_router_id: after.routers.find(({ kind }) => kind === 'custom')?.id ?? '',
            kind: 'custom',
          })
          break
        case 'transit':
          after.interfaces[change.index % after.interfaces.length]!.transit_ips = []
      }
      const plan = compare(before, after, { names: 100 })
      const networks = [compile(before), compile(after)]
      const names = before.interfaces
        .filter(({ vpc_id }) => vpc_id === 'vpc shop')
        .map(({ instance_id }) => instance_id)
      const ends = [...new Set(names), 'internet']
      for (const from of ends) {
        for (const to of ends) {
          if (from === to) continue
          const lineOf = plan.changes.filter((one) =>
            [
              [from, one.from],
              [to, one.to],
            ].every(([id, side]) =>
              id === 'internet'
                ? (side as typeof one.from).outside.includes('internet')
                : (side as typeof one.from).instances.some((member) => member.id === id),
            ),
          )
          const end = (id: string): Question['from'] =>
            id === 'internet' ? { type: 'internet' } : { type: 'instance', instance: id }
          for (const version of ['v4', 'v6'] as const) {
            const icmp = version === 'v4' ? ('icmp' as const) : ('icmp6' as const)
            const packets = [
              ...[22, 443, 1000].map((port) => ({ protocol: 'tcp' as const, port })),
              ...[3, version === 'v4' ? 8 : 128].map((type) => ({ protocol: icmp, port: type })),
            ]
            for (const { protocol, port } of packets) {
              const [was, is] = networks.map(
                (network) =>
                  ask(network, {
                    from: end(from),
                    to: end(to),
                    ip_version: version,
                    ...(protocol === 'tcp'
                      ? { protocol, port }
                      : { protocol: 'icmp' as const, icmp_type: port }),
                  }).reachable,
              )
              const names = (list: Changes['changes'][number]['gained']) =>
                list.some(
                  (one) =>
                    one.protocol === protocol &&
                    one.ip_versions.includes(version) &&
                    (one.ports.length === 0 || one.ports.some((text) => includes(text, port))),
                )
              const gained = lineOf.some((one) => names(one.gained))
              const lost = lineOf.some((one) => names(one.lost))
              expect({ gained, lost }).toEqual({ gained: !was && is, lost: was && !is })
            }
          }
        }
      }
    }),
    { numRuns: 30 },
  )
})

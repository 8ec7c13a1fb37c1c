/** Connections opened and closed by a change. */
import { formatAddress, NETWORK_CHANGE_LIMITS } from '@steading/api/rules'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  ask,
  type Changes,
  compareNetworks,
  compile,
  edited,
  lowestFreeAddress,
  type NetworkEdit,
  type NetworkRows,
  type Question,
  type RuleRow,
} from '../src/index.ts'
import { naive } from './support/naive.ts'
import { rule, route, worlds } from './support/random-world.ts'
import { addExternalIp, addInstance, addRule, bastionWorld } from './support/world.ts'
import { long } from '../../control-plane/test/support/long.ts'

function compare(
  before: NetworkRows,
  after: NetworkRows,
  limits: Partial<Parameters<typeof compareNetworks>[3]> = {},
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

/** One line per change: from, to, and ports. */
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

test('without a change, no connection opens or closes', () => {
  expect(compare(...changed(() => {}))).toEqual({
    changes: [],
    more_changes: 0,
    left_out: { instances: 0, networks: 0, pairs: 0 },
  })
})

test('the database is only reachable by the rule for the bastion', () => {
  const plan = compare(
    ...changed((rows) => {
      rows.firewall_rules = rows.firewall_rules.filter(
        ({ name }) => name !== 'postgres-from-bastion',
      )
    }),
  )
  expect(lines(plan)).toEqual(['bastion → db +[] -[tcp 5432]'])
})

test('a rule for everybody opens exactly the closed connections', () => {
  const plan = compare(
    ...changed((rows) =>
      addRule(rows, 'shop', 'web', { filters: { protocols: [{ type: 'tcp' }], ports: ['22-80'] } }),
    ),
  )
  expect(lines(plan).toSorted()).toEqual([
    'bastion → db +[tcp 22-80] -[]',
    // It has no IPv6 internet connection.
    'db → bastion +[tcp 23-80] -[]',
    'internet → bastion +[tcp 23-80] -[]',
  ])
})

test('an external network named in a rule is compared separately', () => {
  const plan = compare(
    ...changed((rows) =>
      addRule(rows, 'shop', 'office', {
        filters: { hosts: [{ type: 'ip_net', value: '203.0.113.0/24' }], ports: ['443'] },
      }),
    ),
  )
  expect(lines(plan)).toEqual(['203.0.113.0/24 → bastion +[tcp 443, udp 443] -[]'])
})

test('indistinguishable instances share a line', () => {
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

test('omitted changes are counted', () => {
  const plan = compare(...changed((rows) => addRule(rows, 'shop', 'all', {})), {
    instances: 1,
    pairs: 1,
    changes: 0,
  })
  expect(plan).toMatchObject({ changes: [], more_changes: 1, left_out: { instances: 1, pairs: 1 } })
})

/** Whether a text like `80-443` contains a port; for ICMP, code 0 of a type. */
function includes(text: string, port: number): boolean {
  const [range = '', codes = '0'] = text.split('/')
  const [first, last = first] = range.split('-')
  return Number(first) <= port && port <= Number(last) && codes.split('-')[0] === '0'
}

/** Rows of a random change; indexes select among the existing things. */
const edits = fc.oneof(
  fc.record({ kind: fc.constant('add rule' as const), rule: rule('shop') }),
  fc.record({
    kind: fc.constantFrom(
      'remove rule' as const,
      'move rule' as const,
      'switch rule' as const,
      'remove route' as const,
      'remove router' as const,
      'remove interface' as const,
      'remove gateway' as const,
    ),
    index: fc.nat(20),
  }),
  fc.record({ kind: fc.constant('add route' as const), route }),
  fc.record({
    kind: fc.constantFrom(
      'set router' as const,
      'change interface' as const,
      'add interface' as const,
      'external ip' as const,
      'external subnet' as const,
      'gateway' as const,
    ),
    index: fc.nat(20),
    other: fc.nat(20),
    yes: fc.boolean(),
  }),
)
type Edit = typeof edits extends fc.Arbitrary<infer T> ? T : never

const pick = <T>(list: readonly T[], index: number): T | undefined => list[index % list.length]
const inShop = ({ vpc_id }: { vpc_id: string }) => vpc_id === 'vpc shop'

/** The random change for these rows; undefined if it does not apply. */
function editOf(rows: NetworkRows, edit: Edit): NetworkEdit | undefined {
  const rules = rows.firewall_rules.filter(inShop)
  const replaced = (changed: RuleRow[]): NetworkEdit => ({
    type: 'replace_rules',
    vpcId: 'vpc shop',
    rules: changed,
  })
  const routers = rows.routers.filter(inShop)
  const custom = routers.filter(({ kind }) => kind === 'custom')
  const nics = rows.interfaces.filter(inShop)
  const gateways = rows.internet_gateways.filter(inShop)
  switch (edit.kind) {
    case 'add rule': {
      const added = structuredClone(rows)
      addRule(added, 'shop', 'new', edit.rule)
      return replaced([...rules, added.firewall_rules.at(-1)!])
    }
    case 'remove rule':
      return replaced(rules.toSpliced(edit.index % (rules.length || 1), 1))
    case 'move rule':
      return replaced(
        rules.map((one, at) => (at === edit.index % rules.length ? { ...one, priority: 2 } : one)),
      )
    case 'switch rule':
      return replaced(
        rules.map((one, at) =>
          at === edit.index % rules.length
            ? { ...one, status: one.status === 'enabled' ? 'disabled' : 'enabled' }
            : one,
        ),
      )
    case 'add route': {
      const place = { id: 'new route', vpc_router_id: custom[0]?.id ?? '', kind: 'custom' as const }
      return { type: 'add_route', route: { ...edit.route, ...place } }
    }
    case 'remove route': {
      const ids = new Set(routers.map(({ id }) => id))
      const one = pick(
        rows.routes.filter(({ vpc_router_id }) => ids.has(vpc_router_id)),
        edit.index,
      )
      return one && { type: 'remove_route', id: one.id }
    }
    case 'remove router': {
      const router = pick(custom, edit.index)
      return router && { type: 'remove_router', id: router.id }
    }
    case 'set router': {
      const subnet = pick(rows.subnets.filter(inShop), edit.index)!
      const router = edit.yes ? pick(custom, edit.other) : undefined
      return { type: 'set_router', subnetId: subnet.id, routerId: router?.id ?? null }
    }
    case 'add interface': {
      const { instance_id } = pick(nics, edit.index)!
      const subnet = pick(rows.subnets.filter(inShop), edit.other)!
      const address = (version: 'v4' | 'v6') =>
        formatAddress({ version, value: lowestFreeAddress(rows, subnet, version)! })
      return {
        type: 'add_interface',
        instance: rows.instances.find(({ id }) => id === instance_id)!,
        interface: {
          id: 'new nic',
          name: 'new',
          instance_id,
          vpc_id: 'vpc shop',
          subnet_id: subnet.id,
          primary: false,
          mac: '',
          ipv4: address('v4'),
          ipv6: edit.yes ? address('v6') : null,
          transit_ips: [],
        },
      }
    }
    case 'change interface': {
      const { id } = pick(nics, edit.index)!
      const transitIps = edit.yes ? ['172.30.0.0/16', 'fd77::/64'] : []
      return { type: 'change_interface', id, primary: edit.other % 2 === 0, transitIps }
    }
    case 'remove interface':
      return { type: 'remove_interface', id: pick(nics, edit.index)!.id }
    case 'external ip': {
      const external = pick(rows.external_ips, edit.index)!
      if (!edit.yes) return { type: 'detach_external_ip', id: external.id }
      const { instance_id } = pick(nics, edit.other)!
      return { type: 'attach_external_ip', externalIp: { ...external, instance_id } }
    }
    case 'external subnet': {
      const subnet = pick(rows.external_subnets, edit.index)!
      if (!edit.yes) return { type: 'detach_external_subnet', id: subnet.id }
      const { instance_id } = pick(nics, edit.other)!
      return { type: 'attach_external_subnet', externalSubnet: { ...subnet, instance_id } }
    }
    case 'gateway': {
      const { id } = pick(gateways, edit.index)!
      const external = pick(rows.external_ips, edit.other)!
      const to = edit.yes
        ? { ip_pool_ids: ['pool other'], addresses: [] }
        : { ip_pool_ids: [], addresses: [external.ip] }
      return { type: 'change_gateway', id, to }
    }
    case 'remove gateway':
      return { type: 'remove_gateway', id: pick(gateways, edit.index)!.id }
  }
}

test('a comparison names exactly the connections that a naive walk finds opened or closed', () => {
  fc.assert(
    fc.property(worlds, edits, (before, change) => {
      for (const one of before.instances) one.run_state = 'running'
      const made = editOf(before, change)
      if (!made) return
      const after = edited(before, made)
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
              const [was, is] = [before, after].map((rows, index) => {
                const answer = ask(networks[index]!, {
                  from: end(from),
                  to: end(to),
                  ip_version: version,
                  ...(protocol === 'tcp'
                    ? { protocol, port }
                    : { protocol: 'icmp' as const, icmp_type: port }),
                })
                const { source, destination } = answer
                // An end has no address of that version.
                if (source === null || destination === null) return false
                const traffic = protocol === 'tcp' ? { port } : { type: port, code: 0 }
                const nic = answer.there[0]!.interface?.id ?? null
                const way = naive(rows, { nic, source, destination }, { protocol, ...traffic })
                return way.reachable
              })
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
    { numRuns: long ? 60 : 10 },
  )
})

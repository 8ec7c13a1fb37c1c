/** Random clouds with few names and addresses, so that these often coincide. */
import fc from 'fast-check'
import { emptyRows, type NetworkRows, type Question, type RuleEnd } from '../../src/index.ts'
import { addExternalIp, addInstance, addRouter, addRule, addSubnet, addVpc } from './world.ts'

const subnets = ['public', 'private', 'third'] as const
const blocks: Record<string, [string, string]> = {
  public: ['172.30.0.0/24', 'fd00:1:0:1::/64'],
  private: ['172.30.4.0/24', 'fd00:1:0:2::/64'],
  third: ['10.0.0.0/24', 'fd00:1:0:3::/64'],
}
const names = ['a', 'b', 'c', 'd'] as const
const vpcs = ['shop', 'blog'] as const
const gateways = ['default', 'second'] as const
const externals = ['198.51.100.1', '198.51.100.2', '198.51.100.3', '198.51.100.4'] as const
const externals6 = ['2001:db8::1', '2001:db8::2', '2001:db8::3'] as const
const nets = [
  '0.0.0.0/0',
  '172.30.0.0/16',
  '172.30.4.0/24',
  '192.168.7.0/24',
  '198.51.100.0/24',
  '8.8.0.0/16',
  '::/0',
  'fd00:1::/48',
  'fd00:1:0:2::/64',
  '2001:db8::/64',
] as const
const transits = ['192.168.7.0/24', '0.0.0.0/0', '172.30.0.0/16', 'fd77::/64', '::/0'] as const
const hosts = [5, 6, 7, 8]
const addresses = [
  ...hosts.map((n) => `172.30.0.${n}`),
  ...hosts.slice(0, 2).map((n) => `172.30.4.${n}`),
  '172.30.0.99',
  '10.0.0.5',
  '192.168.7.9',
  '192.168.9.9',
  '8.8.8.8',
  '203.0.113.4',
  ...externals,
  'fd00:1:0:1::5',
  'fd00:1:0:2::6',
  'fd77::1',
  '2606:4700::1',
  ...externals6,
] as const

const some = <T>(values: readonly T[]) => fc.constantFrom(...values)
const few = <T>(one: fc.Arbitrary<T>, maxLength = 2) => fc.array(one, { maxLength })

const ruleEnd = (vpc: string): fc.Arbitrary<RuleEnd> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant({ type: 'vpc' as const, value: vpc }) },
    { weight: 1, arbitrary: some(['elsewhere']).map((value) => ({ type: 'vpc' as const, value })) },
    some([...subnets, 'gone']).map((value) => ({ type: 'subnet' as const, value })),
    some([...names, 'gone']).map((value) => ({ type: 'instance' as const, value })),
    some(addresses).map((value) => ({ type: 'ip' as const, value })),
    some(nets).map((value) => ({ type: 'ip_net' as const, value })),
  )

const icmp = fc.option(
  fc.record({
    icmp_type: some([0, 3, 8, 128]),
    code: some([null, '0', '1-4', '0-3']),
  }),
)
const protocol = fc.oneof(
  fc.constant({ type: 'tcp' as const }),
  fc.constant({ type: 'udp' as const }),
  icmp.map((value) => ({ type: 'icmp' as const, value })),
  icmp.map((value) => ({ type: 'icmp6' as const, value })),
)
export const spans = ['22', '80', '1-443', '80-8080', '49152', '1000-65535'] as const

export const rule = (vpc: string) =>
  fc.record({
    status: some(['enabled', 'enabled', 'enabled', 'disabled'] as const),
    direction: some(['inbound', 'inbound', 'outbound'] as const),
    targets: fc.array(ruleEnd(vpc), { minLength: 1, maxLength: 2 }),
    filters: fc.record({
      hosts: fc.option(few(ruleEnd(vpc)), { freq: 1 }),
      protocols: fc.option(few(protocol), { freq: 1 }),
      ports: fc.option(few(some(spans)), { freq: 1 }),
    }),
    action: some(['allow', 'allow', 'allow', 'deny'] as const),
    priority: fc.nat(3),
  })

export const route = fc.record({
  name: some(['one', 'two', 'three', 'zero']),
  destination: fc.oneof(
    some(addresses).map((value) => ({ type: 'ip' as const, value })),
    some(nets).map((value) => ({ type: 'ip_net' as const, value })),
    some([...subnets, 'gone']).map((value) => ({ type: 'subnet' as const, value })),
  ),
  target: fc.oneof(
    fc.constant({ type: 'drop' as const }),
    some(addresses).map((value) => ({ type: 'ip' as const, value })),
    some([...names, 'gone']).map((value) => ({ type: 'instance' as const, value })),
    some([...gateways, 'gone']).map((value) => ({ type: 'internet_gateway' as const, value })),
  ),
})

const nic = fc.record({
  stack: some(['v4', 'v6', 'dual', 'dual', 'dual', 'dual'] as const),
  transit_ips: few(some(transits), 2),
})

export interface VpcPlan {
  instances: { nics: { stack: 'v4' | 'v6' | 'dual'; transit_ips: string[] }[]; up: boolean }[]
  rules: Parameters<typeof addRule>[3][]
  routers: {
    subnets: string[]
    routes: Parameters<typeof addRouter>[4]
  }[]
  second: { pool: boolean; address: string | null }
  /** Whether everything is allowed unless another rule denies it. */
  open: boolean
}

const vpcPlan = (vpc: string): fc.Arbitrary<VpcPlan> =>
  fc.record({
    instances: fc.array(
      fc.record({
        nics: fc.array(nic, { minLength: 1, maxLength: 2 }),
        up: some([true, true, true, true, true, true, false]),
      }),
      { minLength: 2, maxLength: 4 },
    ),
    rules: fc.array(rule(vpc), { maxLength: 6 }),
    routers: few(
      fc.record({
        subnets: few(some(subnets)),
        routes: fc.uniqueArray(route, { maxLength: 3, selector: ({ name }) => name }),
      }),
    ),
    second: fc.record({ pool: fc.boolean(), address: fc.option(some(externals)) }),
    open: some([true, true, true, false]),
  })

function addPlan(rows: NetworkRows, vpc: string, plan: VpcPlan): void {
  addVpc(rows, vpc)
  for (const name of subnets) addSubnet(rows, vpc, name, blocks[name]!)
  for (const [index, { nics, up }] of plan.instances.entries()) {
    const name = vpc === 'shop' ? names[index]! : `${vpc}-${names[index]}`
    const number = hosts[index]!
    addInstance(
      rows,
      vpc,
      name,
      nics.map(({ stack, transit_ips }, at) => {
        const subnet = subnets[(index + at) % subnets.length]!
        const [v4, v6] = blocks[subnet]!
        return {
          subnet,
          ...(stack === 'v6' ? {} : { ipv4: v4.replace('.0/24', `.${number}`) }),
          ...(stack === 'v4' ? {} : { ipv6: v6.replace('::/64', `::${number}`) }),
          transit_ips,
        }
      }),
    )
    if (!up) rows.instances.at(-1)!.run_state = 'stopped'
  }
  for (const [index, one] of plan.rules.entries()) addRule(rows, vpc, `rule-${index}`, one)
  if (plan.open) addRule(rows, vpc, 'open', { priority: 4 })
  for (const [index, { subnets: attached, routes }] of plan.routers.entries()) {
    addRouter(rows, vpc, `custom-${index}`, attached, routes)
  }
  rows.internet_gateways.push({
    id: `gateway ${vpc} second`,
    name: 'second',
    vpc_id: `vpc ${vpc}`,
    ip_pool_ids: plan.second.pool ? ['pool other'] : [],
    addresses: plan.second.address === null ? [] : [plan.second.address],
  })
}

const external = fc.record({
  kind: some(['floating', 'ephemeral', 'snat'] as const),
  owner: fc.nat(9),
  other: fc.boolean(),
})

export const worlds: fc.Arbitrary<NetworkRows> = fc
  .record({
    shop: vpcPlan('shop'),
    blog: vpcPlan('blog'),
    externals: fc.tuple(...[...externals, ...externals6].map(() => external)),
    subnetOwner: fc.nat(9),
  })
  .map(({ shop, blog, externals: kinds, subnetOwner }) => {
    const rows = emptyRows()
    addPlan(rows, 'shop', shop)
    addPlan(rows, 'blog', blog)
    const owner = (number: number) =>
      number === 0 ? null : rows.instances[number % rows.instances.length]!.name
    for (const [index, ip] of [...externals, ...externals6].entries()) {
      const { kind, owner: number, other } = kinds[index]!
      const pool = other ? 'pool other' : undefined
      addExternalIp(rows, kind, ip, kind === 'snat' ? (owner(number) ?? 'a') : owner(number), pool)
    }
    const subnetInstance = owner(subnetOwner)
    rows.external_subnets.push({
      id: 'external subnet',
      name: 'edge',
      subnet: '203.0.113.0/28',
      instance_id: subnetInstance && `instance ${subnetInstance}`,
    })
    rows.pool_ranges.push({ first: '198.51.100.0', last: '198.51.100.255' })
    rows.pool_ranges.push({ first: '2001:db8::', last: '2001:db8::ffff' })
    return rows
  })

export const traffics = fc.oneof(
  fc.record({
    protocol: some(['tcp', 'udp'] as const),
    port: some([22, 80, 443, 8080, 49_152]),
  }),
  fc.record({
    protocol: fc.constant('icmp' as const),
    icmp_type: some([undefined, 3, 8, 128]),
    icmp_code: fc.constant(undefined),
  }),
)

/** A question from an interface or an external address, to an address or an interface. */
export const questions = (rows: NetworkRows): fc.Arbitrary<Question> => {
  const nics = fc
    .constantFrom(...rows.interfaces)
    .map((one) => ({ type: 'instance' as const, instance: one.instance_id, interface: one.id }))
  const address = some(addresses).map((text) => ({ type: 'address' as const, address: text }))
  return fc
    .record({
      from: fc.oneof({ weight: 4, arbitrary: nics }, { weight: 1, arbitrary: address }),
      to: fc.oneof({ weight: 2, arbitrary: nics }, { weight: 1, arbitrary: address }),
      traffic: traffics,
      ip_version: some([undefined, undefined, 'v4', 'v6'] as const),
      vpc: some([undefined, ...vpcs.map((vpc) => `vpc ${vpc}`)]),
    })
    .map(({ traffic, ...question }) => ({ ...question, ...traffic }))
}

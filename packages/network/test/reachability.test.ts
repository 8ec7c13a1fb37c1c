/** Questions with answers that can be checked by hand. */
import { expect, test } from 'vitest'
import {
  type Answer,
  ask,
  compile,
  emptyRows,
  type NetworkRows,
  type Question,
} from '../src/index.ts'
import {
  addDefaultRules,
  addExternalIp,
  addInstance,
  addRouter,
  addRule,
  addSubnet,
  addVpc,
  bastionWorld,
} from './support/world.ts'

const at = (name: string) => ({ type: 'instance' as const, instance: `instance ${name}` })
const address = (text: string) => ({ type: 'address' as const, address: text })
const internet = { type: 'internet' as const }
const tcp = (
  rows: NetworkRows,
  from: Question['from'],
  to: Question['to'],
  port: number,
  more: Partial<Question> = {},
): Answer => ask(compile(rows), { from, to, protocol: 'tcp', port, ...more })

const reasons = (steps: Answer['there']) => steps.map(({ reason }) => reason)

test('the bastion reaches the database on the allowed port only', () => {
  const rows = bastionWorld()
  expect(tcp(rows, at('bastion'), at('db'), 5432)).toMatchObject({
    reachable: true,
    source: '172.30.0.5',
    destination: '172.30.4.5',
  })
  expect(tcp(rows, at('bastion'), at('db'), 5433)).toMatchObject({
    reachable: false,
    reason: 'No rule allows it, and inbound traffic is denied by default.',
  })
})

test('all steps are reported in order, in both directions', () => {
  const answer = tcp(bastionWorld(), at('bastion'), at('db'), 5432)
  expect(reasons(answer.there)).toEqual([
    'Instance bastion sends from interface net0 with the address 172.30.0.5.',
    '172.30.0.5 is the address of the interface.',
    'No rule denies it, and outbound traffic is allowed by default.',
    'Route private leads to the subnet private.',
    '172.30.4.5 is the address of the interface.',
    'The inbound rule postgres-from-bastion allows it.',
    'It arrives at instance db (net0).',
  ])
  expect(reasons(answer.back).at(-1)).toBe('The answer arrives.')
  expect(answer.back.filter(({ kind }) => kind === 'firewall').map(({ reason }) => reason)).toEqual(
    Array(2).fill('It belongs to an allowed connection, so no rule is needed.'),
  )
})

test('the internet reaches the bastion at its floating IP, but not the database', () => {
  const rows = bastionWorld()
  const ssh = tcp(rows, internet, at('bastion'), 22)
  expect(ssh).toMatchObject({ reachable: true, destination: '198.51.100.7' })
  const [, outside] = ssh.there
  expect(outside).toMatchObject({
    kind: 'outside',
    translation: { destination: '172.30.0.5' },
    external_ip: { kind: 'floating' },
  })
  expect(tcp(rows, internet, at('db'), 5432).reason).toBe(
    'Instance db has no IPv4 address that can be reached from outside of its VPC.',
  )
  expect(tcp(rows, internet, address('198.51.100.10'), 5432).reason).toBe(
    '198.51.100.10 is a SNAT address, which takes nothing but answers.',
  )
})

test('an instance prefers its floating IP to SNAT on the way to the internet', () => {
  const rows = bastionWorld()
  const gateway = (answer: Answer) => answer.there.find(({ kind }) => kind === 'gateway')
  expect(gateway(tcp(rows, at('bastion'), internet, 443))).toMatchObject({
    reason: 'The source address becomes 198.51.100.7, the floating IP of the instance.',
  })
  expect(gateway(tcp(rows, at('db'), internet, 443))).toMatchObject({
    translation: { source: '198.51.100.10' },
  })
  expect(tcp(rows, at('db'), internet, 443).reachable).toBe(true)
})

test('at equal priority, deny wins', () => {
  const rows = bastionWorld()
  addRule(rows, 'shop', 'allow-all', { priority: 50 })
  expect(tcp(rows, at('bastion'), at('db'), 80).reachable).toBe(true)
  addRule(rows, 'shop', 'deny-web', {
    priority: 50,
    action: 'deny',
    filters: { ports: ['80-90'] },
  })
  expect(tcp(rows, at('bastion'), at('db'), 80).reason).toBe('The inbound rule deny-web denies it.')
  expect(tcp(rows, at('bastion'), at('db'), 91).reachable).toBe(true)
})

test('each rule that was tried explains its outcome', () => {
  const rows = bastionWorld()
  addRule(rows, 'shop', 'off', { priority: 1, status: 'disabled' })
  const { there } = tcp(rows, at('bastion'), at('db'), 5432)
  const inbound = there.find(({ direction }) => direction === 'inbound')
  expect(inbound?.rules.map(({ name, outcome }) => [name, outcome])).toEqual([
    ['off', 'disabled'],
    ['allow-ssh', 'target'],
    ['postgres-from-bastion', 'decides'],
  ])
})

test('the longest prefix decides; a custom route precedes a system route of equal length', () => {
  const rows = bastionWorld()
  addRouter(
    rows,
    'shop',
    'no-internet',
    ['public'],
    [
      {
        name: 'nowhere',
        destination: { type: 'ip_net', value: '0.0.0.0/0' },
        target: { type: 'drop' },
      },
    ],
  )
  const out = tcp(rows, at('bastion'), internet, 443)
  expect(out.reason).toBe('Route nowhere drops it.')
  const route = out.there.find(({ kind }) => kind === 'route')
  expect(route?.routes.map(({ name, outcome }) => [name, outcome])).toEqual([
    ['nowhere', 'chosen'],
    ['default-v4', 'system'],
  ])
  // The route to the other subnet is longer.
  expect(tcp(rows, at('bastion'), at('db'), 5432).reachable).toBe(true)
})

test('a connection fails if the answer gets lost', () => {
  const rows = bastionWorld()
  addRouter(
    rows,
    'shop',
    'one-way',
    ['private'],
    [
      {
        name: 'not-back',
        destination: { type: 'subnet', value: 'public' },
        target: { type: 'drop' },
      },
    ],
  )
  expect(tcp(rows, at('bastion'), at('db'), 5432)).toMatchObject({
    reachable: false,
    arrives: true,
    reason: 'Route not-back drops it.',
  })
})

test('a gateway prefers an attached address to its pools', () => {
  const rows = bastionWorld()
  addExternalIp(rows, 'ephemeral', '198.51.100.20', 'bastion', 'pool other')
  rows.internet_gateways[0]!.addresses.push('198.51.100.20')
  const source = () =>
    tcp(rows, at('bastion'), internet, 443).there.find(({ kind }) => kind === 'gateway')
      ?.translation?.source
  expect(source()).toBe('198.51.100.20')
  rows.internet_gateways[0]!.addresses = []
  expect(source()).toBe('198.51.100.7')
  rows.internet_gateways[0]!.ip_pool_ids = []
  expect(tcp(rows, at('bastion'), internet, 443).reason).toBe(
    'Neither a pool nor an address is attached to the internet gateway default.',
  )
  // Answers need no choice: they leave by the address of the connection.
  expect(tcp(rows, internet, at('bastion'), 22).reachable).toBe(true)
})

test('an instance may send from its own addresses and transit IPs only', () => {
  const rows = bastionWorld()
  addInstance(rows, 'shop', 'vpn', [
    { subnet: 'public', ipv4: '172.30.0.6', transit_ips: ['192.168.7.0/24'] },
  ])
  addRule(rows, 'shop', 'all', { priority: 9 })
  const from = (text: string) => tcp(rows, address(text), at('db'), 5432)
  expect(from('192.168.8.1')).toMatchObject({
    reachable: false,
    reason: '192.168.8.1 is not an address of the internet, so nothing comes from there.',
  })
  const lost = from('192.168.7.9')
  // The answer would go to the internet: no route leads behind the VPN.
  expect(lost).toMatchObject({ reachable: false, arrives: true })
  addRouter(
    rows,
    'shop',
    'via-vpn',
    ['private'],
    [
      {
        name: 'office',
        destination: { type: 'ip_net', value: '192.168.0.0/16' },
        target: { type: 'instance', value: 'vpn' },
      },
    ],
  )
  expect(from('192.168.7.9').reachable).toBe(true)
  expect(tcp(rows, at('db'), address('192.168.7.9'), 80).reachable).toBe(true)
  expect(tcp(rows, at('db'), address('192.168.8.9'), 80).reason).toBe(
    'Interface net0 may not receive for 192.168.8.9: it is neither its address nor one of its transit IPs.',
  )
})

test('traffic to another VPC uses external addresses at both ends', () => {
  const rows = bastionWorld()
  addVpc(rows, 'blog', 'fd00:2::')
  addSubnet(rows, 'blog', 'default', ['172.30.0.0/22', 'fd00:2:0:1::/64'])
  addInstance(rows, 'blog', 'web', [{ subnet: 'default', ipv4: '172.30.0.5' }])
  addDefaultRules(rows, 'blog')
  expect(tcp(rows, at('bastion'), at('web'), 22).reason).toBe(
    'Instance web has no IPv4 address that can be reached from outside of its VPC.',
  )
  addExternalIp(rows, 'ephemeral', '198.51.100.30', 'web')
  const answer = tcp(rows, at('bastion'), at('web'), 22)
  expect(answer.reachable).toBe(true)
  const inbound = answer.there.find(({ direction }) => direction === 'inbound')
  expect(inbound).toMatchObject({ source: '198.51.100.7', vpc: { name: 'blog' } })
  expect(tcp(rows, at('bastion'), at('web'), 80).reachable).toBe(false)
})

test('IPv6 has separate addresses, routes and ICMP', () => {
  const rows = emptyRows()
  addVpc(rows, 'main')
  addSubnet(rows, 'main', 'default', ['172.30.0.0/22', 'fd00:1:0:1::/64'])
  addDefaultRules(rows, 'main')
  const own = { subnet: 'default', ipv4: '172.30.0.5', ipv6: 'fd00:1:0:1::5' }
  addInstance(rows, 'main', 'a', [own])
  addInstance(rows, 'main', 'b', [{ subnet: 'default', ipv6: 'fd00:1:0:1::6' }])
  addExternalIp(rows, 'ephemeral', '2001:db8::7', 'a')
  addExternalIp(rows, 'snat', '198.51.100.9', 'a')
  const ping = (from: Question['from'], to: Question['to'], ip_version?: 'v4' | 'v6') =>
    ask(compile(rows), { from, to, protocol: 'icmp', ip_version })
  expect(ping(at('a'), at('b'))).toMatchObject({
    reachable: true,
    ip_version: 'v6',
    protocol: 'icmp6',
    icmp_type: 128,
  })
  expect(ping(at('a'), at('b'), 'v4').reason).toBe('Instance b has no IPv4 address.')
  // The default rules allow ICMP over IPv4 from everywhere, ICMPv6 only from inside.
  expect(ping(internet, at('a'), 'v6').reachable).toBe(false)
  expect(ping(at('a'), internet, 'v6').reachable).toBe(true)
  expect(ping(at('b'), internet, 'v6').reason).toBe('Instance b has no external IPv6 address.')
})

test('a stopped instance is unreachable, and the rest of the path is reported', () => {
  const rows = bastionWorld()
  rows.instances.find(({ name }) => name === 'db')!.run_state = 'stopped'
  const answer = tcp(rows, at('bastion'), at('db'), 5432)
  expect(answer).toMatchObject({ reachable: false, reason: 'Instance db is stopped.' })
  expect(answer.there.at(-1)?.reason).toBe('It arrives at instance db (net0).')
})

test('an external subnet leads to the primary interface without translation', () => {
  const rows = bastionWorld()
  rows.external_subnets.push({
    id: 'external subnet',
    name: 'edge',
    subnet: '203.0.113.0/28',
    instance_id: 'instance db',
  })
  addRule(rows, 'shop', 'all', { priority: 9 })
  expect(tcp(rows, internet, address('203.0.113.4'), 80)).toMatchObject({ reachable: true })
  const out = tcp(rows, address('203.0.113.4'), internet, 80)
  expect(out.reachable).toBe(true)
  expect(out.there.find(({ kind }) => kind === 'gateway')).toMatchObject({
    translation: null,
    reason: 'The source address stays as it is: it belongs to the external subnet edge.',
  })
})

test('a routing loop is detected', () => {
  const rows = bastionWorld()
  addRule(rows, 'shop', 'all', { priority: 9 })
  addInstance(rows, 'shop', 'hop', [
    { subnet: 'private', ipv4: '172.30.4.6', transit_ips: ['0.0.0.0/0'] },
  ])
  addInstance(rows, 'shop', 'pop', [
    { subnet: 'public', ipv4: '172.30.0.7', transit_ips: ['0.0.0.0/0'] },
  ])
  const via = (name: string) => [
    {
      name: `via-${name}`,
      destination: { type: 'ip_net' as const, value: '0.0.0.0/0' },
      target: { type: 'instance' as const, value: name },
    },
  ]
  addRouter(rows, 'shop', 'one', ['public'], via('hop'))
  addRouter(rows, 'shop', 'two', ['private'], via('pop'))
  expect(tcp(rows, at('bastion'), internet, 80).reason).toBe('The routes form a loop.')
})

test('former names of a renamed VPC and a deleted subnet match nothing', () => {
  const rows = emptyRows()
  addVpc(rows, 'main')
  addSubnet(rows, 'main', 'default', ['172.30.0.0/22', 'fd00:1:0:1::/64'])
  addDefaultRules(rows, 'main')
  addInstance(rows, 'main', 'a', [{ subnet: 'default', ipv4: '172.30.0.5' }])
  addInstance(rows, 'main', 'b', [{ subnet: 'default', ipv4: '172.30.0.6' }])
  expect(tcp(rows, at('a'), at('b'), 22).reachable).toBe(true)
  rows.vpcs[0]!.name = 'renamed'
  expect(tcp(rows, at('a'), at('b'), 22).reachable).toBe(false)
})

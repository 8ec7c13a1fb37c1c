/** What hosts are to have, by the configuration of all uplinks. */
import { describe, expect, test } from 'vitest'
import type { UplinkConfiguration } from '@steading/control-plane/ports'
import { desiredHost } from '../src/config/desired.ts'
import { linesOf } from '../src/config/sections.ts'
import type { UplinkHost } from '../src/hosts.ts'
import { bfd, link, peer, uplinks } from './support/configuration.ts'

const host = (name: string, ports: UplinkHost['ports']): UplinkHost => ({
  name,
  switch: 'switch0',
  host: 'local',
  ports,
})
const edge0 = host('edge0', { qsfp0: ['eth1', 'eth2'] })
const edge1 = host('edge1', { qsfp1: ['eth1'] })

const desired = (configuration: UplinkConfiguration, one = edge0) =>
  desiredHost(one, [edge0, edge1], configuration)
function linesFor(configuration: UplinkConfiguration, one = edge0): string[] {
  const { bgp, bfd: ofBfd, loopback, rest } = desired(configuration, one)
  return linesOf([...rest, ...loopback, ...bgp, ...ofBfd])
}

test('a peer has its policies, and only what is permitted passes', () => {
  const lines = linesFor(
    uplinks({
      peers: [
        peer(
          {
            allowed_import: { type: 'allow', value: ['203.0.113.7/24', '2001:db8::/32'] },
            allowed_export: { type: 'allow', value: ['198.51.100.0/24', '10.0.0.0/8'] },
            communities: [0xffff_ff01, 1],
            local_pref: 200,
          },
          { networks: ['198.51.100.0/24', '198.51.101.0/24'] },
        ),
      ],
    }),
  )
  const name = 'steading-in-192.0.2.1'
  expect(lines.filter((line) => line.includes('prefix-list'))).toEqual([
    `ip prefix-list ${name}-v4 seq 5 permit 203.0.113.0/24`,
    ` match ip address prefix-list ${name}-v4`,
    `ipv6 prefix-list ${name}-v6 seq 5 permit 2001:db8::/32`,
    ` match ipv6 address prefix-list ${name}-v6`,
    'ip prefix-list steading-out-192.0.2.1-v4 seq 5 permit 198.51.100.0/24',
    ' match ip address prefix-list steading-out-192.0.2.1-v4',
  ])
  expect(lines).toContain(' set community 0:1 no-export')
  expect(lines.filter((line) => line === ' set local-preference 200')).toHaveLength(2)
  expect(lines.filter((line) => line.startsWith('  network '))).toEqual([
    '  network 198.51.100.0/24',
  ])
})

test('nothing passes a policy that permits nothing', () => {
  const nothing = { type: 'allow' as const, value: [] }
  const lines = linesFor(
    uplinks({ peers: [peer({ allowed_import: nothing, allowed_export: nothing })] }),
  )
  expect(lines.filter((line) => line.startsWith('route-map'))).toEqual([
    'route-map steading-in-192.0.2.1 deny 10',
    'route-map steading-out-192.0.2.1 deny 10',
  ])
})

test('links, VLANs and loopback addresses belong to interfaces of the right host', () => {
  const at = { switch: 'switch0', port: 'qsfp0' } as const
  const configuration = uplinks({
    links: [link(), link({ link: 'phy1', position: 1, mtu: 9000 }), link({ port: 'qsfp1' })],
    addresses: [
      { ...at, link: 'phy1', vlan: 40, address: '192.0.2.2/30' },
      { ...at, port: 'qsfp1', link: 'phy0', vlan: null, address: '192.0.2.6/30' },
    ],
    loopbacks: [
      { switch: 'switch0', address: '10.0.0.1/32', anycast: false },
      { switch: 'switch0', address: '10.0.0.2/32', anycast: true },
      { switch: 'switch1', address: '10.0.0.3/32', anycast: true },
    ],
  })
  expect(linesFor(configuration)).toEqual([
    'interface eth1',
    ' description steading',
    'exit',
    'interface eth2',
    ' description steading',
    'exit',
    'interface eth2.40',
    ' description steading',
    ' ip address 192.0.2.2/30',
    'exit',
    'interface lo',
    ' description steading',
    ' ip address 10.0.0.1/32',
    ' ip address 10.0.0.2/32',
    'exit',
  ])
  expect(linesFor(configuration, edge1)).toEqual([
    'interface eth1',
    ' description steading',
    ' ip address 192.0.2.6/30',
    'exit',
    'interface lo',
    ' description steading',
    ' ip address 10.0.0.2/32',
    'exit',
  ])
  expect(desired(configuration).interfaces).toMatchObject([
    { name: 'eth1', mtu: 1500 },
    { name: 'eth2', mtu: 9000 },
  ])
})

test('a BFD session belongs to the host that reaches its peer', () => {
  const configuration = uplinks({
    addresses: [
      ...uplinks().addresses,
      { switch: 'switch0', port: 'qsfp1', link: 'phy0', vlan: null, address: '192.0.2.6/30' },
    ],
    links: [link(), link({ port: 'qsfp1' })],
    bfd: [bfd({ peer: '192.0.2.5', threshold: 5, requiredRx: 50_500 })],
  })
  expect(desired(configuration)).toMatchObject({ bfd: [], problems: [] })
  expect(linesOf(desired(configuration, edge1).bfd)).toEqual([
    'bfd',
    ' profile steading-5-51',
    '  detect-multiplier 5',
    '  transmit-interval 51',
    '  receive-interval 51',
    ' exit',
    ' peer 192.0.2.5 interface eth1',
    '  profile steading-5-51',
    ' exit',
    'exit',
  ])
})

describe('what FRR cannot have is left out, and nothing else:', () => {
  const at = { switch: 'switch0', port: 'qsfp0', link: 'phy0', vlan: null } as const
  const evil = 'x\n neighbor 192.0.2.66 remote-as 1'
  test.each<[string, Partial<UplinkConfiguration>, string]>([
    ['a key with a line', { peers: [peer({ md5_auth_key: evil })] }, 'its MD5 key'],
    ['a key with a space', { peers: [peer({ md5_auth_key: 'a b' })] }, 'its MD5 key'],
    ['a key like a comment', { peers: [peer({ md5_auth_key: '!x' })] }, 'its MD5 key'],
    [
      'an address with a line',
      { peers: [peer({ addr: { type: 'numbered', target_addr: evil, src_addr: null } })] },
      'is no address',
    ],
    [
      'a source with a line',
      { peers: [peer({ addr: { type: 'numbered', target_addr: '192.0.2.1', src_addr: evil } })] },
      'is no address',
    ],
    [
      'a policy with a line',
      { peers: [peer({ allowed_import: { type: 'allow', value: [evil] } })] },
      'is no network',
    ],
    ['a network with a line', { peers: [peer({}, { networks: [evil] })] }, 'is no network'],
    ['a VRF', { peers: [peer({}, { vrf: 'red' })] }, 'VRF red'],
    ['an ASN of none', { peers: [peer({ remote_asn: 0 })] }, 'its ASN'],
    ['a hold time of a second', { peers: [peer({ hold_time: 1 })] }, 'its hold time'],
    ['a long keepalive', { peers: [peer({ keepalive: 65_536 })] }, 'its keepalive'],
    [
      'a short router lifetime',
      { peers: [peer({ addr: { type: 'unnumbered', router_lifetime: 5 } })] },
      'its router lifetime',
    ],
    ['a VLAN of none', { peers: [peer({ vlan_id: 5000 })] }, 'a VLAN'],
    ['a threshold of one', { bfd: [bfd({ threshold: 1 })] }, 'its detection threshold'],
    ['a short interval', { bfd: [bfd({ requiredRx: 9_999 })] }, 'its interval'],
    [
      'a far session from anywhere',
      { bfd: [bfd({ mode: 'multi_hop' })] },
      'needs its local address',
    ],
    ['a session to nowhere', { bfd: [bfd({ peer: '10.9.9.9' })] }, 'no link of the host'],
    ['a session from nowhere', { bfd: [bfd({ local: '10.9.9.9' })] }, 'does not have the address'],
    [
      'a gateway of the other version',
      { routes: [{ ...at, destination: '10.0.0.0/8', gateway: 'fe80::1', priority: null }] },
      'of the other version',
    ],
    [
      'a priority of none',
      { routes: [{ ...at, destination: '10.0.0.0/8', gateway: '192.0.2.1', priority: 0 }] },
      'its priority',
    ],
    [
      'a link too many',
      { links: [link(), link({ link: 'phy9', position: 2 })] },
      'fewer interfaces',
    ],
    ['a small MTU', { links: [link({ mtu: 0 })] }, 'its MTU'],
    ['LLDP without a daemon', { links: [link({ lldp: true })] }, 'no socket of lldpd'],
  ])('%s', (_, part, reason) => {
    const { problems } = desired(uplinks(part))
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(reason)
    const lines = linesFor(uplinks(part))
    expect(lines.join('\n')).not.toContain('192.0.2.66')
    expect(lines.filter((line) => line.includes('\n'))).toEqual([])
    expect(lines).toContain(' ip address 192.0.2.2/30')
  })
})

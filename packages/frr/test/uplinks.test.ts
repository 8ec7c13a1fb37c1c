/** FRR and lldpd of real namespaces do what is configured, and are believed. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { UplinkConfiguration, Uplinks } from '@steading/control-plane/ports'
import { until } from '../../control-plane/test/support/things.ts'
import { createUplinks } from '../src/part.ts'
import type { UplinkHost } from '../src/hosts.ts'
import { bfd, link, peer, uplinks } from './support/configuration.ts'
import { frrMissing, openWorld, type World } from './support/world.ts'

const hosts: UplinkHost[] = [
  {
    name: 'edge0',
    switch: 'switch0',
    host: 'local',
    frr: 'edge0',
    lldp: '/run/frr/edge0.lldp',
    ports: { qsfp0: ['eth1'], qsfp2: ['eth2'] },
  },
  { name: 'edge1', switch: 'switch0', host: 'local', frr: 'edge1', ports: { qsfp1: ['eth1'] } },
]

describe.skipIf(frrMissing())('with FRR', () => {
  let world: World
  let port: Uplinks
  beforeAll(async () => {
    world = await openWorld()
    port = createUplinks(hosts, ({ name }) => world.shell(name as 'edge0'))
    await world.configure(
      'router',
      'router bgp 64512',
      'no bgp ebgp-requires-policy',
      'no bgp network import-check',
      'neighbor 192.0.2.2 remote-as 65000',
      'neighbor 192.0.2.2 timers connect 1',
      'neighbor 192.0.2.2 bfd',
      'neighbor 192.0.2.6 remote-as 65000',
      'neighbor 192.0.2.6 timers connect 1',
      'address-family ipv4 unicast',
      'network 203.0.113.0/24',
      'network 198.18.0.0/15',
    )
    await world.frr('router', 'write memory')
  })
  afterAll(() => world.end())

  const apply = (configuration: UplinkConfiguration, found?: string, host = 'edge0') =>
    port.hosts!.apply(host, configuration, found)
  const kernelRoutes = (place: 'router' | 'edge0') => world.run(place, 'ip', 'route', 'show')

  test('a session is established, networks are exchanged as permitted, and BFD notices its end @long', async () => {
    const configured = uplinks({
      peers: [
        peer({
          allowed_import: { type: 'allow', value: ['203.0.113.0/24'] },
          communities: [4_259_840_001],
        }),
      ],
      bfd: [bfd()],
    })
    const first = await apply(configured)
    expect(first).toMatchObject({ problems: [], changed: true })
    const states = async () => [
      (await port.peers(configured.peers))[0]?.state,
      ...(await port.bfd(configured.bfd)),
    ]
    await until(states, (seen) => expect(seen).toEqual(['established', 'up']))
    expect(await port.peers(configured.peers)).toMatchObject([
      { remoteAsn: 64_512, address: '192.0.2.1' },
    ])
    await until(
      () => kernelRoutes('router'),
      (routes) => expect(routes).toContain('198.51.100.0/24 nhid'),
    )
    const imported = await until(
      () => port.imported(configured.peers),
      (routes) => expect(routes).toHaveLength(1),
    )
    expect(imported[0]).toMatchObject({ prefix: '203.0.113.0/24', nexthop: '192.0.2.1' })
    expect(await kernelRoutes('edge0')).not.toContain('198.18.0.0/15')
    expect(await port.exported(configured.peers)).toMatchObject([{ prefix: '198.51.100.0/24' }])
    expect(await world.frr('router', 'show bgp ipv4 unicast 198.51.100.0/24')).toContain(
      'Community: 65000:1',
    )
    // Nothing is written a second time.
    expect(await apply(configured, first.found)).toEqual({ ...first, changed: false })
    expect(await apply(configured)).toEqual({ ...first, changed: false })

    await world.kill('router')
    const [state] = await until(states, ([, session]) => expect(session).toBe('down'))
    expect(state).not.toBe('established')
    expect(await port.exported(configured.peers)).toEqual([])
    expect(await port.imported(configured.peers)).toEqual([])
  })

  test('FRR writes every line as it was given @long', async () => {
    const everything = uplinks({
      links: [link({ mtu: 9000 }), link({ port: 'qsfp2' })],
      addresses: ['192.0.2.2/30', '2001:db8::2/64'].map((address) => ({
        ...({ switch: 'switch0', port: 'qsfp0', link: 'phy0', vlan: null } as const),
        address,
      })),
      routes: [
        { destination: '10.20.0.0/16', gateway: '192.0.2.1', priority: null },
        { destination: '10.21.0.0/16', gateway: '192.0.2.1', priority: 7 },
        { destination: '2001:db8:20::/48', gateway: 'fe80::1', priority: 200 },
        { destination: '::/0', gateway: '2001:db8::1', priority: null },
      ].map((route) => ({
        ...({ switch: 'switch0', port: 'qsfp0', link: 'phy0', vlan: null } as const),
        ...route,
      })),
      loopbacks: ['198.51.100.250/32', '2001:db8:ff::1/128'].map((address) => ({
        switch: 'switch0',
        address,
        anycast: false,
      })),
      peers: [
        peer(
          {
            allowed_import: { type: 'allow', value: ['203.0.113.0/24', '2001:db8:9::/48'] },
            allowed_export: { type: 'allow', value: ['198.51.100.0/24'] },
            communities: [0xffff_ff01, 4_259_840_001, 0xffff_029a, 5],
            delay_open: 2,
            enforce_first_as: true,
            local_pref: 200,
            md5_auth_key: 'o\'k|"$(x)?',
            min_ttl: 255,
            multi_exit_discriminator: 7,
            addr: { type: 'numbered', target_addr: '192.0.2.1', src_addr: '192.0.2.2' },
          },
          { maxPaths: 4, networks: ['198.51.100.0/24', '198.51.101.0/24', '2001:db8:7::/48'] },
        ),
        peer(
          {
            addr: { type: 'numbered', target_addr: '2001:db8::1', src_addr: null },
            remote_asn: null,
            hold_time: 0,
            keepalive: 0,
          },
          { networks: ['198.51.100.0/24', '2001:db8:7::/48'] },
        ),
        peer({ addr: { type: 'unnumbered', router_lifetime: 30 } }, { port: 'qsfp2' }),
        peer({
          addr: { type: 'numbered', target_addr: '192.0.2.9', src_addr: null },
          allowed_import: { type: 'allow', value: [] },
        }),
      ],
      bfd: [
        bfd(),
        bfd({ peer: '2001:db8::1', threshold: 5, requiredRx: 50_500 }),
        bfd({ peer: '203.0.113.7', local: '198.51.100.250', mode: 'multi_hop' }),
      ],
    })
    const first = await apply(everything)
    expect(first.problems).toEqual([])
    expect(await apply(everything)).toEqual({ ...first, changed: false })
    expect(await world.run('edge0', 'ip', '-o', 'link', 'show', 'eth1')).toContain('mtu 9000')
    const addresses = await world.run('edge0', 'ip', '-br', 'address', 'show', 'dev', 'lo')
    expect(addresses).toContain('198.51.100.250/32')
    expect(await kernelRoutes('edge0')).toContain('10.21.0.0/16')
    // All of it is gone again.
    const none = await apply(uplinks({ addresses: [], links: [] }))
    expect(none.problems).toEqual([])
    const configuration = await world.frr('edge0', 'show running-config')
    for (const word of ['steading', 'router bgp', 'peer', 'password', 'ip route']) {
      expect(configuration).not.toContain(word)
    }
  })

  test('an FRR that was killed gets its configuration back', async () => {
    const configured = uplinks({ peers: [peer()], bfd: [bfd()] })
    const { found } = await apply(configured)
    await world.kill('edge0')
    await expect(apply(configured, found)).rejects.toThrow('FRR does not answer: zebra')
    const silence = 'Uplink host edge0 does not answer'
    await vi.waitFor(() => expect(port.peers(configured.peers)).rejects.toThrow(silence))
    await expect(port.bfd(configured.bfd)).rejects.toThrow(silence)
    expect(port.hosts!.silentSince('edge0')).toBeInstanceOf(Date)
    expect((await port.links(configured.links))[0]!.state).toBe('unknown')
    await world.run('edge0', 'sh', '-c', ': >/etc/frr/edge0/frr.conf')
    await world.start('edge0')
    expect(await apply(configured, found)).toEqual({ found, problems: [], changed: true })
    await until(
      () => port.links(configured.links),
      ([state]) => expect(state!.state).toBe('up'),
    )
    // What it has is kept where it finds it by itself.
    expect(await world.run('edge0', 'cat', '/etc/frr/edge0/frr.conf')).toContain('router bgp 65000')
  })

  test('what others change is mended, and what is theirs stays', async () => {
    const configured = uplinks({ peers: [peer()], bfd: [bfd()] })
    const { found } = await apply(configured)
    await world.configure(
      'edge0',
      'ip route 10.99.0.0/16 192.0.2.1',
      'ip prefix-list theirs seq 5 permit 10.0.0.0/8',
      'bfd',
      'peer 192.0.2.77 interface eth1',
      'exit',
      'exit',
      'router bgp 65000',
      'no neighbor 192.0.2.1 remote-as 64512',
      'neighbor 192.0.2.55 remote-as 64999',
    )
    expect(await apply(configured, found)).toEqual({ found, problems: [], changed: true })
    const configuration = await world.frr('edge0', 'show running-config')
    expect(configuration).toContain('neighbor 192.0.2.1 remote-as 64512')
    expect(configuration).not.toContain('192.0.2.55')
    for (const theirs of ['ip route 10.99.0.0/16 192.0.2.1\n', 'theirs', 'peer 192.0.2.77']) {
      expect(configuration).toContain(theirs)
    }
    await world.configure(
      'edge0',
      'no ip route 10.99.0.0/16 192.0.2.1',
      'no ip prefix-list theirs',
      'bfd',
      'no peer 192.0.2.77 interface eth1',
    )
  })

  test('a peer that is deleted is gone, with what belonged to it @long', async () => {
    const two = ['192.0.2.1', '192.0.2.9'].map((target_addr) =>
      peer({ addr: { type: 'numbered', target_addr, src_addr: null } }),
    )
    await apply(uplinks({ peers: two }))
    expect(await world.frr('edge0', 'show running-config')).toContain('192.0.2.9')
    await apply(uplinks({ peers: two.slice(0, 1) }))
    const configuration = await world.frr('edge0', 'show running-config')
    expect(configuration).not.toContain('192.0.2.9')
    expect(configuration).toContain('neighbor 192.0.2.1 remote-as')
  })

  test('a BGP instance of others is left alone @long', async () => {
    await apply(uplinks())
    await world.configure('edge0', 'router bgp 64700', 'neighbor 192.0.2.44 remote-as 64701')
    const { problems } = await apply(uplinks({ peers: [peer()] }))
    expect(problems).toEqual([
      'all BGP peers are left out: FRR has "router bgp 64700" of its own there, which is not changed',
    ])
    expect(await world.frr('edge0', 'show running-config')).toContain('neighbor 192.0.2.44')
    await world.configure('edge0', 'no router bgp 64700')
  })

  test('hosts of a switch have its ports in common @long', async () => {
    const second = { port: 'qsfp1', interface: 'qsfp1-phy0' }
    const configured = uplinks({
      links: [link(), link({ port: 'qsfp1' })],
      addresses: [
        ...uplinks().addresses,
        { switch: 'switch0', port: 'qsfp1', link: 'phy0', vlan: null, address: '192.0.2.6/30' },
      ],
      peers: [
        peer(),
        peer({ addr: { type: 'numbered', target_addr: '192.0.2.5', src_addr: null } }, second),
      ],
      bfd: [bfd({ peer: '192.0.2.5' })],
    })
    await world.start('router')
    for (const host of ['edge0', 'edge1']) {
      expect(await apply(configured, undefined, host)).toMatchObject({ problems: [] })
    }
    await until(
      () => port.peers(configured.peers),
      (sessions) =>
        expect(sessions.map(({ state }) => state)).toEqual(['established', 'established']),
    )
    expect(await world.frr('edge0', 'show running-config')).not.toContain('bfd')
    // A host that hangs holds up nothing of the other.
    await world.run('edge1', 'sh', '-c', 'kill -STOP $(cat /run/frr/edge1/bgpd.pid)')
    const left = await until(
      () => port.peers(configured.peers),
      (sessions) => expect(sessions).toHaveLength(1),
    )
    expect(left[0]!.address).toBe('192.0.2.1')
    await world.run('edge1', 'sh', '-c', 'kill -CONT $(cat /run/frr/edge1/bgpd.pid)')
    await until(
      () => port.peers(configured.peers),
      (sessions) => expect(sessions).toHaveLength(2),
    )
  })

  test('lldpd says what links are to say, and what it has heard is shown @long', async () => {
    const lldpTexts = {
      link_name: 'to "north" | x',
      link_description: 'a  b',
      system_name: 'rack; pause',
      system_description: "it's",
    }
    const configured = uplinks({ links: [link({ lldp: true, lldpTexts })] })
    expect(await apply(configured)).toMatchObject({ problems: [], changed: true })
    expect(await apply(configured)).toMatchObject({ problems: [], changed: false })
    const [neighbors] = await until(
      () => port.neighbors(configured.links),
      ([its]) => expect(its).toHaveLength(1),
    )
    expect(neighbors![0]).toMatchObject({ linkDescription: 'up0' })
    await until(
      () => world.run('router', 'lldpcli', '-u', '/run/frr/router.lldp', 'show', 'neighbors'),
      (text) => {
        for (const said of Object.values(lldpTexts)) expect(text).toContain(said)
      },
    )
    const silent = uplinks({ links: [link()] })
    expect(await apply(silent)).toMatchObject({ changed: true })
    expect(await apply(silent)).toMatchObject({ changed: false })
    expect(await port.neighbors(silent.links)).toEqual([[]])
  })
})

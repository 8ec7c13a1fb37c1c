/** FRR and lldpd of real namespaces do what is configured, and are believed. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
    ports: { qsfp0: ['eth1'] },
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
      'neighbor 192.0.2.6 remote-as 65000',
      'neighbor 192.0.2.6 timers connect 1',
      'address-family ipv4 unicast',
      'network 203.0.113.0/24',
      'network 198.18.0.0/15',
    )
  })
  afterAll(() => world.end())

  const apply = (configuration: UplinkConfiguration, found?: string, host = 'edge0') =>
    port.hosts!.apply(host, configuration, found)
  const kernelRoutes = (place: 'router' | 'edge0') => world.run(place, 'ip', 'route', 'show')

  test('a session is established, and networks are exchanged as permitted', async () => {
    const configured = uplinks({
      peers: [
        peer({ allowed_import: { type: 'allow', value: ['203.0.113.0/24'] }, communities: [4_259_840_001] }),
      ],
    })
    const first = await apply(configured)
    expect(first).toMatchObject({ problems: [], changed: true })
    await until(
      () => port.peers(configured.peers),
      ([session]) => expect(session).toMatchObject({ state: 'established', remoteAsn: 64_512 }),
    )
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
  })
})

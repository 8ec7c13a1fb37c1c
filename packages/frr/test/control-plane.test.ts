/** What callers of the API configure is what FRR has: a control plane with simulated machines. */
import type { Wire } from '@steading/api'
import { uplinkMessages } from '@steading/api/rules'
import { composeEngine, partsWithout } from '@steading/control-plane/engine'
import type { EnginePart } from '@steading/control-plane/ports'
import { simulatedEngine } from '@steading/simulator'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { memoryBlockStore } from '../../control-plane/src/engines/volumes/memory.ts'
import { startSmallServer } from '../../control-plane/test/support/small-server.ts'
import { until } from '../../control-plane/test/support/things.ts'
import { peerOf, portSettings } from '../../control-plane/test/support/uplinks.ts'
import type { UplinkHost } from '../src/hosts.ts'
import { createUplinks } from '../src/part.ts'
import { frrMissing, openWorld, type World } from './support/world.ts'

const host: UplinkHost = {
  name: 'edge0',
  switch: 'switch1',
  host: 'local',
  frr: 'edge0',
  lldp: '/run/frr/edge0.lldp',
  ports: { qsfp3: ['eth1'] },
}

describe.skipIf(frrMissing())('with FRR', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld()
    await world.configure(
      'router',
      'router bgp 64999',
      'no bgp ebgp-requires-policy',
      'neighbor 192.0.2.2 remote-as 65000',
      'neighbor 192.0.2.2 timers connect 1',
    )
  })
  afterAll(() => world.end())

  async function start(path: string) {
    const frr: EnginePart = {
      name: 'frr',
      ports: ['uplinks'],
      open: () => ({ uplinks: createUplinks([host], () => world.shell('edge0')) }),
    }
    const rack = simulatedEngine(memoryBlockStore())
    const engine = composeEngine(...partsWithout(rack, 'uplinks'), frr)
    const server = await startSmallServer(path, engine)
    onTestFinished(server.stop)
    return server
  }

  function newPath(): string {
    const directory = mkdtempSync(join(tmpdir(), 'steading-frr-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    return join(directory, 'steading.db')
  }

  type Call = Awaited<ReturnType<typeof start>>['call']
  const networking = '/v1/system/networking'

  /** Everything that a port needs, as an operator makes it. */
  async function makeSettings(call: Call, name: string, peers: Partial<Wire.BgpPeer>[]) {
    const { blocks, lot } = await call<Wire.AddressLotCreateResponse>(
      'POST',
      `${networking}/address-lot`,
      {
        name: 'outside',
        description: '',
        kind: 'infra',
        blocks: [
          {
            first_address: '192.0.2.0',
            last_address: '192.0.2.255',
          },
        ],
      },
    )
    await call('PUT', `${networking}/bgp-announce-set`, {
      name: 'pools',
      description: '',
      announcement: [
        {
          address_lot_block: blocks[0]!.id,
          network: '198.51.100.0/24',
        },
      ],
    })
    const config = await call<Wire.BgpConfig>('POST', `${networking}/bgp`, {
      name: 'main',
      description: '',
      asn: 65e3,
      bgp_announce_set_id: 'pools',
    })
    await call(
      'POST',
      `${networking}/switch-port-settings`,
      portSettings({
        name,
        addresses: [
          { link_name: 'phy0', addresses: [{ address: '192.0.2.2/30', address_lot: lot.name }] },
        ],
        routes: [{ link_name: 'phy0', routes: [{ dst: '10.20.0.0/16', gw: '192.0.2.1' }] }],
        bgp_peers: [
          {
            link_name: 'phy0',
            peers: peers.map((peer) =>
              peerOf(config, { connect_retry: 1, delay_open: 0, ...peer }),
            ),
          },
        ],
      }),
    )
  }
  const numbered = (target_addr: string) => ({
    addr: { type: 'numbered' as const, target_addr, src_addr: null },
  })

  async function portOf(call: Call) {
    const { items } = await call<{ items: Wire.SwitchPort[] }>(
      'GET',
      '/v1/system/hardware/switch-port',
    )
    expect(items.map(({ switch_slot, port_name }) => [switch_slot, port_name])).toEqual([
      ['switch1', 'qsfp3'],
    ])
    const { rack_id, port_name } = items[0]!
    const url = (part: string) =>
      `/v1/system/hardware/switch-port/${port_name}/${part}?rack_id=${rack_id}&switch_slot=switch1`
    return { url }
  }
  const issuesOf = async (call: Call) =>
    (await call<{ items: Wire.Issue[] }>('GET', '/x/v1/issues')).items.filter(({ kind }) =>
      kind.startsWith('uplink_'),
    )

  test('port settings are applied, their sessions shown, and cleared again', async () => {
    const path = newPath()
    const { call, stop } = await start(path)
    await makeSettings(call, 'uplink', [
      numbered('192.0.2.1'),
      { ...numbered('192.0.2.77'), md5_auth_key: 'two words' },
    ])
    const { url } = await portOf(call)
    await call('POST', `${networking}/bfd-enable`, {
      local: null,
      remote: '192.0.2.1',
      detection_threshold: 3,
      required_rx: 3e5,
      switch_slot: 'switch1',
      mode: 'single_hop',
    })
    await call('POST', url('settings'), { port_settings: 'uplink' })
    const statuses = () => call<Wire.BgpPeerStatus[]>('GET', `${networking}/bgp-status`)
    await until(statuses, (seen) =>
      expect(seen.map(({ addr, state }) => [addr, state])).toEqual([
        ['192.0.2.1', 'established'],
        ['192.0.2.77', 'idle'],
      ]),
    )
    expect(await issuesOf(call)).toMatchObject([
      {
        sentence: expect.stringContaining(
          'On uplink host edge0, BGP peer 192.0.2.77 is left out: its MD5 key has a space',
        ),
      },
    ])
    await until(
      () => call('GET', `${networking}/bgp-exported`),
      (routes) =>
        expect(routes).toEqual([
          { peer_id: '192.0.2.1', prefix: '198.51.100.0/24', switch: 'switch1' },
        ]),
    )
    expect(await call('GET', `${networking}/bfd-status`)).toMatchObject([{ peer: '192.0.2.1' }])
    expect(await call('GET', url('status'))).toMatchObject({
      links: [{ link_name: 'phy0', link_state: 'up' }],
      monitors: null,
    })
    await expect(call('GET', `${networking}/bgp-message-history?asn=65000`)).rejects.toThrow(
      uplinkMessages.noMessages,
    )
    // Another server finds all of it as it is.
    await stop()
    const next = await start(path)
    await until(
      () => next.controlPlane.database.db.selectFrom('uplink_host').selectAll().execute(),
      ([row]) => expect(row).toMatchObject({ applied: row!.wanted, step_failures: 0 }),
    )
    const session = { remote: '192.0.2.1', switch_slot: 'switch1' }
    await next.call('POST', `${networking}/bfd-disable`, session)
    await next.call('DELETE', url('settings'))
    await until(
      () => world.frr('edge0', 'show running-config'),
      (text) => expect(text).not.toMatch(/router bgp|ip route/),
    )
    await until(
      () => issuesOf(next.call),
      (issues) => expect(issues).toEqual([]),
    )
  })

  test('a host that does not answer holds up no call, and operators hear of it @long', async () => {
    const { call } = await start(newPath())
    await makeSettings(call, 'uplink', [numbered('192.0.2.1')])
    const { url } = await portOf(call)
    await world.kill('edge0')
    await call('POST', url('settings'), { port_settings: 'uplink' })
    await until(
      () => issuesOf(call),
      (issues) =>
        expect(issues).toMatchObject([
          { sentence: expect.stringContaining('FRR does not answer: zebra, staticd, bgpd') },
        ]),
    )
    const { links } = await call<{ links: { link_state: string }[] }>('GET', url('status'))
    expect(links).toMatchObject([{ link_state: 'unknown' }])
    await expect(call('GET', `${networking}/bgp-status`)).rejects.toThrow(
      uplinkMessages.silent(['edge0']),
    )
    await world.start('edge0')
    await until(
      () => issuesOf(call),
      (issues) => expect(issues).toEqual([]),
    )
  })

  test('what others change on a host is mended within a minute @long', async () => {
    const { call, controlPlane } = await start(newPath())
    await makeSettings(call, 'uplink', [numbered('192.0.2.1')])
    const { url } = await portOf(call)
    await call('POST', url('settings'), { port_settings: 'uplink' })
    await until(
      () => controlPlane.database.db.selectFrom('uplink_host').selectAll().execute(),
      ([row]) => expect(row!.applied).toBe(row!.wanted),
    )
    const configuration = () => world.frr('edge0', 'show running-config')
    await until(configuration, (text) => expect(text).toContain('neighbor 192.0.2.1 remote-as'))
    await world.configure('edge0', 'router bgp 65000', 'no neighbor 192.0.2.1')
    await until(configuration, (text) => expect(text).toContain('neighbor 192.0.2.1 remote-as'))
  })
})

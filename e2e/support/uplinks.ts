import type { ApiClient, BgpConfig, SwitchSlot } from '@steading/api/client'
import { ok } from './seed.ts'

/** A lot, an announce set with one of its networks, and a configuration. */
export async function makeUplinks(api: ApiClient): Promise<BgpConfig> {
  await ok(
    api.networkingAddressLotCreate({
      body: {
        name: 'provider',
        description: 'From the provider',
        kind: 'infra',
        blocks: [
          { firstAddress: '198.51.100.0', lastAddress: '198.51.100.255' },
          { firstAddress: '2001:db8::', lastAddress: '2001:db8::ffff' },
        ],
      },
    }),
  )
  await ok(
    api.networkingBgpAnnounceSetUpdate({
      body: {
        name: 'public',
        description: '',
        announcement: [{ addressLotBlock: 'provider', network: '198.51.100.128/25' }],
      },
    }),
  )
  return ok(
    api.networkingBgpConfigCreate({
      body: { name: 'edge', description: '', asn: 64_700, bgpAnnounceSetId: 'public', maxPaths: 1 },
    }),
  )
}

/** Settings with a link and a peer, applied to the first port of a switch. */
export async function addPeer(
  api: ApiClient,
  address: string,
  switchSlot: SwitchSlot = 'switch0',
): Promise<void> {
  const settings = await ok(
    api.networkingSwitchPortSettingsCreate({
      body: {
        name: `uplink-${switchSlot}`,
        description: '',
        portConfig: { geometry: 'qsfp28x1' },
        links: [
          {
            linkName: 'phy0',
            mtu: 9000,
            speed: 'speed100_g',
            autoneg: false,
            lldp: { enabled: true },
          },
        ],
        interfaces: [],
        addresses: [],
        routes: [],
        groups: [],
        bgpPeers: [
          {
            linkName: 'phy0',
            peers: [
              {
                bgpConfig: 'edge',
                addr: { type: 'numbered', targetAddr: address, srcAddr: null },
                allowedExport: { type: 'no_filtering' },
                allowedImport: { type: 'no_filtering' },
                communities: [],
                connectRetry: 3,
                delayOpen: 3,
                enforceFirstAs: false,
                holdTime: 6,
                idleHoldTime: 3,
                keepalive: 2,
                remoteAsn: 64_496,
              },
            ],
          },
        ],
      },
    }),
  )
  const { items } = await ok(api.rackList({}))
  await ok(
    api.networkingSwitchPortApplySettings({
      path: { port: 'qsfp0' },
      query: { rackId: items[0]!.id, switchSlot },
      body: { portSettings: settings.id },
    }),
  )
}

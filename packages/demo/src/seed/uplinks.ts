import type { Cloud } from './cloud.ts'
import { must } from './cloud.ts'
import type { Moment } from './timeline.ts'

/** Age of the rack's uplinks. */
const CONNECTED_DAYS_AGO = 212

const lots = [
  {
    name: 'transit',
    description: 'Links to the two routers of the provider',
    kind: 'infra',
    blocks: [
      { firstAddress: '198.51.100.0', lastAddress: '198.51.100.15' },
      { firstAddress: '2001:db8:100::', lastAddress: '2001:db8:100::ff' },
    ],
  },
  {
    name: 'rack-loopbacks',
    description: 'Addresses of the switches themselves',
    kind: 'infra',
    blocks: [{ firstAddress: '198.51.100.240', lastAddress: '198.51.100.247' }],
  },
  {
    name: 'public',
    description: 'Networks announced to the internet',
    kind: 'pool',
    blocks: [
      { firstAddress: '203.0.113.0', lastAddress: '203.0.113.255' },
      { firstAddress: '2001:db8:200::', lastAddress: '2001:db8:200:ffff:ffff:ffff:ffff:ffff' },
    ],
  },
] as const

/** The provider's routers, one per switch. */
const routers = [
  { slot: 'switch0', address: '198.51.100.1', source: '198.51.100.2', loopback: '198.51.100.240' },
  { slot: 'switch1', address: '198.51.100.5', source: '198.51.100.6', loopback: '198.51.100.241' },
] as const

const PROVIDER_ASN = 64_496
const RACK_ASN = 64_700

/** A port to a provider's router, with a BGP peer and a default route. */
async function uplinkAppears(
  { api }: Cloud,
  rackId: string,
  { slot, address, source }: (typeof routers)[number],
) {
  const name = `uplink-${slot}`
  const anything = { type: 'no_filtering' } as const
  must(
    await api.networkingSwitchPortSettingsCreate({
      body: {
        name,
        description: `To the router of the provider at ${slot}`,
        portConfig: { geometry: 'qsfp28x1' },
        groups: [],
        links: [
          {
            linkName: 'phy0',
            mtu: 9000,
            speed: 'speed100_g',
            fec: 'rs',
            autoneg: false,
            lldp: { enabled: true, systemName: `steading-${slot}` },
          },
        ],
        interfaces: [],
        addresses: [
          {
            linkName: 'phy0',
            addresses: [{ address: `${source}/30`, addressLot: 'transit', vlanId: null }],
          },
        ],
        routes: [
          {
            linkName: 'phy0',
            routes: [{ dst: '192.0.2.0/24', gw: address, vid: null, ribPriority: 10 }],
          },
        ],
        bgpPeers: [
          {
            linkName: 'phy0',
            peers: [
              {
                bgpConfig: 'provider',
                addr: { type: 'numbered', targetAddr: address, srcAddr: source },
                allowedExport: anything,
                allowedImport: anything,
                communities: [],
                connectRetry: 3,
                delayOpen: 3,
                enforceFirstAs: false,
                holdTime: 9,
                idleHoldTime: 3,
                keepalive: 3,
                remoteAsn: PROVIDER_ASN,
              },
            ],
          },
        ],
      },
    }),
  )
  must(
    await api.networkingSwitchPortApplySettings({
      path: { port: 'qsfp0' },
      query: { rackId, switchSlot: slot },
      body: { portSettings: name },
    }),
  )
}

async function connect(cloud: Cloud): Promise<void> {
  const { api } = cloud
  for (const { blocks, ...lot } of lots) {
    must(await api.networkingAddressLotCreate({ body: { ...lot, blocks: [...blocks] } }))
  }
  const network = (one: string) => ({ addressLotBlock: 'public', network: one })
  must(
    await api.networkingBgpAnnounceSetUpdate({
      body: {
        name: 'public',
        description: 'Networks of floating IPs and external subnets',
        announcement: [
          network('203.0.113.0/25'),
          network('203.0.113.128/25'),
          network('2001:db8:200::/48'),
        ],
      },
    }),
  )
  must(
    await api.networkingBgpAnnounceSetUpdate({
      body: {
        name: 'maintenance',
        description: 'Announced while the rack is moved',
        announcement: [],
      },
    }),
  )
  must(
    await api.networkingBgpConfigCreate({
      body: {
        name: 'provider',
        description: 'Both routers of the provider',
        asn: RACK_ASN,
        bgpAnnounceSetId: 'public',
        maxPaths: 2,
      },
    }),
  )
  const { items } = must(await api.rackList({}))
  const rackId = items[0]!.id
  for (const router of routers) {
    must(
      await api.networkingLoopbackAddressCreate({
        body: {
          rackId,
          switchSlot: router.slot,
          address: router.loopback,
          mask: 32,
          addressLot: 'rack-loopbacks',
          anycast: false,
        },
      }),
    )
    must(
      await api.networkingBfdEnable({
        body: {
          remote: router.address,
          local: router.source,
          switchSlot: router.slot,
          detectionThreshold: 3,
          requiredRx: 300_000,
          mode: 'single_hop',
        },
      }),
    )
    await uplinkAppears(cloud, rackId, router)
  }
}

/** A router that stopped responding some hours ago, as an issue to find. */
const silence = ({ controlPlane }: Cloud) =>
  controlPlane.engines.uplinks.takeDown('switch1', routers[1].address)

export const uplinkMoments: Moment[] = [
  { daysAgo: CONNECTED_DAYS_AGO, happen: connect },
  { daysAgo: 0.2, happen: silence },
]

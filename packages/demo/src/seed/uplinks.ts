import type { Cloud } from './cloud.ts'
import { must } from './cloud.ts'
import type { Moment } from './timeline.ts'

/** When the rack was connected. */
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
    description: 'What the rack announces to the internet',
    kind: 'pool',
    blocks: [
      { firstAddress: '203.0.113.0', lastAddress: '203.0.113.255' },
      { firstAddress: '2001:db8:200::', lastAddress: '2001:db8:200:ffff:ffff:ffff:ffff:ffff' },
    ],
  },
] as const

/** The routers of the provider, one at each switch. */
const routers = [
  { slot: 'switch0', address: '198.51.100.1', source: '198.51.100.2', loopback: '198.51.100.240' },
  { slot: 'switch1', address: '198.51.100.5', source: '198.51.100.6', loopback: '198.51.100.241' },
] as const

const PROVIDER_ASN = 64_496
const RACK_ASN = 64_700

/** A port with a peer. There is no call of the API for port settings yet. */
async function peerAppears(
  { db, now }: Cloud,
  configId: string,
  rackId: string,
  { slot, address, source }: (typeof routers)[number],
) {
  const port_settings_id = crypto.randomUUID()
  await db
    .insertInto('switch_port')
    .values({
      id: crypto.randomUUID(),
      rack_id: rackId,
      switch_slot: slot,
      port_name: 'qsfp0',
      port_settings_id,
      time_applied: now(),
    })
    .execute()
  await db
    .insertInto('bgp_peer')
    .values({
      id: crypto.randomUUID(),
      port_settings_id,
      link_name: 'phy0',
      bgp_config_id: configId,
      peer: JSON.stringify({
        addr: { type: 'numbered', target_addr: address, src_addr: source },
        allowed_export: { type: 'no_filtering' },
        allowed_import: { type: 'no_filtering' },
        connect_retry: 3,
        delay_open: 3,
        hold_time: 9,
        idle_hold_time: 3,
        keepalive: 3,
        remote_asn: PROVIDER_ASN,
      }),
    })
    .execute()
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
        description: 'All that users have floating IPs and subnets of',
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
  const config = must(
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
    await peerAppears(cloud, config.id, rackId, router)
  }
}

/** A router that has gone silent some hours ago, so that there is something to find. */
const silence = ({ controlPlane }: Cloud) =>
  controlPlane.engines.uplinks.takeDown('switch1', routers[1].address)

export const uplinkMoments: Moment[] = [
  { daysAgo: CONNECTED_DAYS_AGO, happen: connect },
  { daysAgo: 0.2, happen: silence },
]

/** Measurements of switches: links, tables and sensors, and of their routing programs. */
import { collectionSeconds } from '@steading/api'
import type {
  Inventory,
  MeasuredSled,
  MeasuredSwitch,
  Uplinks,
} from '@steading/control-plane/ports'
import type { BfdState } from '@steading/api/rules'
import { type Fields, type Measured, type Probe, probeOf } from './probe.ts'
import { between, seedOf } from './random.ts'
import { sixCounters, sixOf, sledFields } from './sleds.ts'
import type { SledTotals } from './totals.ts'

const SENSORS_MS = 1000 * collectionSeconds('hardware_component')!
const DENDRITE_MS = 1000 * collectionSeconds('dendrite')!

/** Current sessions and links of the switches. */
export interface Outside {
  links: Awaited<ReturnType<Uplinks['links']>>
  peers: Awaited<ReturnType<Uplinks['peers']>>
  /** With the time of the last state change in milliseconds. */
  bfd: { state: BfdState; since: number }[]
  imported: Awaited<ReturnType<Uplinks['imported']>>
}

/** A switch with the sled that drives it, and its traffic. */
interface Driven {
  its: MeasuredSwitch
  sled: MeasuredSled
  totals: ReadonlyMap<string, SledTotals>
  inventory: Inventory
  since: number
}

const slotNumber = ({ slot }: MeasuredSwitch) => Number(slot.slice('switch'.length))

const switchFields = (its: MeasuredSwitch) => ({
  switch_id: its.id,
  switch_model: its.model,
  switch_revision: its.revision,
  switch_serial: its.serial,
  switch_slot: slotNumber(its),
})

/** Manufacturing data of a switch chip, derived from its serial number. */
function asicFields({ serial }: MeasuredSwitch) {
  const seed = seedOf(serial)
  const number = (n: number, low: number, high: number) => Math.floor(between(seed, n, low, high))
  return {
    asic_fab: 'TN',
    asic_lot: `NX${number(1, 10_000, 99_999)}`,
    asic_wafer: number(2, 1, 25),
    asic_wafer_loc_x: number(3, -12, 12),
    asic_wafer_loc_y: number(4, -12, 12),
  }
}

const hostOf = ({ sled, its }: Driven) => ({
  hostname: `oxz_switch${slotNumber(its)}`,
  rack_id: its.rackId,
  sled_id: sled.id,
})

/** Bytes on the links of a switch: half of its sleds' traffic. */
function carried({ totals }: Driven, sledId: string, at: number): number {
  const found = totals.get(sledId)
  if (!found) return 0
  const { traffic, storage } = found.at(at)
  return 0.5 * (traffic + 0.67 * storage)
}

const counted = [
  'receive_crc_error_drops',
  'receive_buffer_full_drops',
  'pcs_bad_sync_headers',
  'pcs_errored_blocks',
  'pcs_block_lock_loss',
  'pcs_high_ber',
  'pcs_valid_errors',
  'pcs_invalid_errors',
  'pcs_unknown_errors',
  'pcs_sync_loss',
  'fec_uncorrected_blocks',
] as const
const fsmStates = ['idle', 'wait_for_signal', 'up'] as const
const LANES = 4

function linkProbe(
  driven: Driven,
  port_id: string,
  network: string,
  isUp: () => boolean,
  bytes: (at: number) => number,
): Probe {
  const { its, sled, since } = driven
  const port = { port_id, link_id: 0 }
  const seed = seedOf(`${its.serial} ${port_id}`)
  const repairs = between(seed, 1, 0.2, 4) / 1000
  return probeOf({
    since,
    target: 'switch_data_link',
    fields: {
      ...sledFields(sled),
      ...switchFields(its),
      ...asicFields(its),
      kind: 'tofino',
      model: its.model,
      network,
    },
    metrics: [
      ...sixCounters,
      ...counted,
      'fec_corrected_blocks',
      'link_up',
      'link_enabled',
      'fec_high_symbol_errors',
      'fec_sync_aligned',
    ]
      .map((metric): Measured => [metric, port])
      .concat(
        fsmStates.map((state): Measured => ['link_fsm', { ...port, state }]),
        Array.from({ length: LANES }, (_, lane): Measured => [
          'fec_symbol_errors',
          { ...port, lane },
        ]),
      ),
    read(at) {
      const up = isUp()
      const repaired = Math.floor(repairs * (at - since))
      return [
        ...sixOf(bytes(at), 0.5),
        ...counted.map(() => 0),
        repaired,
        Number(up),
        1,
        0,
        Number(up),
        1,
        1,
        1,
        ...Array.from({ length: LANES }, (_, lane) => Math.floor(repaired / (3 + lane))),
      ]
    },
  })
}

/** Links to the sleds, then links to the outside. */
function linkProbes(driven: Driven, outside: () => Outside): Probe[] {
  const { its, inventory } = driven
  const uplinks = inventory.links.filter((link) => link.switch === its.slot)
  return [
    ...inventory.sleds.map(({ id, slot }) =>
      linkProbe(
        driven,
        `rear${slot}`,
        'rack',
        () => true,
        (at) => carried(driven, id, at),
      ),
    ),
    ...uplinks.map((link) => {
      const index = inventory.links.indexOf(link)
      return linkProbe(
        driven,
        link.port,
        'external',
        () => outside().links[index]?.state === 'up',
        // A third of the machines' traffic is external.
        (at) =>
          inventory.sleds.reduce((sum, { id }) => sum + carried(driven, id, at), 0) /
          (3 * uplinks.length),
      )
    }),
  ]
}

const CAPACITY = {
  route_ipv4: 4096,
  route_ipv6: 2048,
  arp_ipv4: 512,
  neighbor_ipv6: 512,
  mac_rewrite: 256,
  nat_ingress_ipv4: 1024,
  nat_ingress_ipv6: 1024,
  switch_ipv4_addr: 256,
} as const
type Table = keyof typeof CAPACITY

function tableProbes(driven: Driven, outside: () => Outside): Probe[] {
  const { its, sled, inventory, since } = driven
  const machines = inventory.interfaces.length
  const occupied: Record<Table, () => number> = {
    route_ipv4: () => outside().imported.length + inventory.sleds.length,
    route_ipv6: () => outside().imported.length + 2 * inventory.sleds.length,
    arp_ipv4: () => outside().peers.length,
    neighbor_ipv6: () => inventory.sleds.length,
    mac_rewrite: () => inventory.sleds.length + inventory.links.length,
    nat_ingress_ipv4: () => Math.min(machines, CAPACITY.nat_ingress_ipv4),
    nat_ingress_ipv6: () => Math.min(machines >> 2, CAPACITY.nat_ingress_ipv6),
    switch_ipv4_addr: () => inventory.links.length,
  }
  return (Object.keys(CAPACITY) as Table[]).map((table) =>
    probeOf({
      since,
      target: 'switch_table',
      fields: {
        rack_id: its.rackId,
        sled_id: sled.id,
        ...switchFields(its),
        ...asicFields(its),
        table,
      },
      metrics: [
        'capacity',
        'occupancy',
        'collisions',
        'deletes',
        'delete_misses',
        'exhaustion',
        'inserts',
        'updates',
        'update_misses',
      ],
      read(at) {
        const occupancy = occupied[table]()
        // A few table entries change per hour.
        const changes = Math.floor((at - since) / between(seedOf(table), 1, 6e5, 4e6))
        return [CAPACITY[table], occupancy, 0, changes, 0, 0, occupancy + changes, changes * 3, 0]
      },
    }),
  )
}

function sensorProbe(driven: Driven, gatewayId: string): Probe {
  const { its, totals, inventory, since } = driven
  const seed = seedOf(its.serial)
  const fans = [0, 1, 2, 3]
  return probeOf({
    since,
    target: 'hardware_component',
    fields: {
      rack_id: its.rackId,
      slot: slotNumber(its),
      chassis_kind: 'switch',
      chassis_serial: its.serial,
      chassis_model: its.model,
      chassis_revision: its.revision,
      hubris_archive_id: '91d3c0de00a8f7e2',
      gateway_id: gatewayId,
      component_kind: 'tofino',
      component_id: 'asic',
      description: 'Chip of the switch',
    },
    metrics: [
      ['temperature', { sensor: 'ASIC' }],
      ['power', { sensor: 'ASIC' }],
      ...fans.map((fan): Measured => ['fan_speed', { sensor: `Fan ${fan}` }]),
    ],
    read(at) {
      const busy =
        inventory.sleds.reduce(
          (sum, { id }) => sum + (totals.get(id)?.busyIn(120_000, at) ?? 0),
          0,
        ) / Math.max(1, inventory.sleds.length)
      const swing = between(seed, Math.floor(at / SENSORS_MS), -0.5, 0.5)
      const values = [44 + 21 * busy + swing, 118 + 70 * busy + swing]
      return [...values, ...fans.map((fan) => 5_200 + 4_400 * busy + 40 * fan + 30 * swing)].map(
        Math.fround,
      )
    },
  })
}

function managementProbes(driven: Driven): Probe[] {
  const { its, sled, inventory, since } = driven
  const link = (target: string, link_name: string, network: string, rate: number, more: Fields) =>
    probeOf({
      since,
      target,
      fields: {
        ...sledFields(sled),
        ...switchFields(its),
        ...more,
        kind: 'physical',
        model: its.model,
        network,
        link_name,
      },
      metrics: sixCounters,
      read: (at) => sixOf(rate * (at - since), 0.5),
    })
  return [
    ...inventory.sleds.map(({ slot }) =>
      link('management_network_data_link', `sled${slot}`, 'management', 2.4, {}),
    ),
    ...inventory.links
      .filter((one) => one.switch === its.slot)
      .map(({ port }) =>
        link('switch_port_control_data_link', `tfport${port}_0`, 'control', 0.9, asicFields(its)),
      ),
  ]
}

const routes = (driven: Driven, outside: () => Outside): Probe[] => {
  const { its, inventory, since } = driven
  const host = hostOf(driven)
  const here = <T extends { switch: string }>(things: readonly T[]) =>
    things.filter((one) => one.switch === its.slot)
  const imported = () => outside().imported.filter(({ peer }) => peer.switch === its.slot).length
  const base = { since, fields: host }
  return [
    probeOf({
      ...base,
      target: 'switch_rib',
      metrics: ['active_routes'],
      read: () => [imported()],
    }),
    probeOf({
      ...base,
      target: 'mg_lower',
      metrics: ['routes_blocked_by_link_state'],
      read: () => [
        inventory.links.filter(
          (link, index) => link.switch === its.slot && outside().links[index]?.state !== 'up',
        ).length,
      ],
    }),
    probeOf({
      ...base,
      target: 'static_routing_config',
      metrics: ['static_routes', 'static_nexthops'],
      read: () => [0, 0],
    }),
    probeOf({
      ...base,
      target: 'ddm_router',
      metrics: ['originated_tunnel_endpoints', 'originated_underlay_prefixes'],
      read: () => [here(inventory.peers).reduce((sum, one) => sum + one.networks.length, 0), 1],
    }),
    probeOf({
      since,
      target: 'dendrite',
      fields: sledFields(driven.sled),
      metrics: [['sample_collection_duration', { ...switchFields(its), ...asicFields(its) }]],
      read: (at) => [between(seedOf(its.serial), Math.floor(at / DENDRITE_MS), 0.012, 0.045)],
    }),
    ...inventory.sleds.map((sled) =>
      probeOf({
        since,
        target: 'ddm_session',
        fields: { ...host, interface: `tfportrear${sled.slot}_0` },
        metrics: [
          'advertisements_received',
          'advertisements_sent',
          'solicitations_received',
          'solicitations_sent',
          'updates_received',
          'updates_sent',
          'update_send_fail',
          'peer_address_changes',
          'peer_expirations',
          'peer_sessions_established',
          'imported_tunnel_endpoints',
          'imported_underlay_prefixes',
        ],
        read(at) {
          const heard = Math.floor((at - since) / 5_000)
          return [heard, heard, 1, 1, 2, 2, 0, 0, 0, 1, 0, 1]
        },
      }),
    ),
  ]
}

const bgpCounters = [
  'active_connections_accepted',
  'passive_connections_accepted',
  'connection_retries',
  'hold_timer_expirations',
  'idle_hold_timer_expirations',
  'keepalives_received',
  'keepalives_sent',
  'keepalive_send_failures',
  'opens_received',
  'opens_sent',
  'open_handle_failures',
  'open_send_failures',
  'notification_send_failures',
  'prefixes_advertised',
  'prefixes_imported',
  ...['idle', 'connect', 'active', 'open_sent', 'open_confirm', 'session_setup', 'established'].map(
    (state) => `transition_to_${state}`,
  ),
  ...['keepalive', 'open', 'update'].map((kind) => `unexpected_${kind}_messages`),
  'updates_received',
  'updates_sent',
  'update_send_failures',
  'update_nexthop_missing',
]
const bfdCounters = [
  'control_packets_sent',
  'control_packets_received',
  'control_packet_send_failures',
  'message_receive_error',
  'timeout_expired',
  'transition_to_down',
  'transition_to_init',
  'transition_to_up',
]

/**
 * Sessions of a switch. Their counters start with the current session state, because the counting
 * program restarts with it.
 */
function sessionProbes(driven: Driven, { peers, bfd, imported }: Outside): Probe[] {
  const { its, inventory } = driven
  const host = hostOf(driven)
  const bgp = inventory.peers.flatMap((configured, index): Probe[] => {
    const session = peers[index]
    if (configured.switch !== its.slot || !session) return []
    const since = session.since.getTime()
    const isUp = session.state === 'established'
    const { keepalive, connect_retry } = configured.settings
    const received = imported.filter(
      ({ peer }) => peer.switch === its.slot && peer.id === session.peer.id,
    ).length
    return [
      probeOf({
        since,
        target: 'bgp_session',
        fields: { ...host, local_asn: configured.localAsn, peer: session.address },
        metrics: bgpCounters,
        read(at) {
          const of = (seconds: number) =>
            Math.max(0, Math.floor((at - since) / (1000 * Math.max(1, seconds))))
          const up = Number(isUp)
          const alive = up * of(keepalive)
          const tries = (1 - up) * of(connect_retry)
          const values: Record<string, number> = {
            active_connections_accepted: up,
            connection_retries: tries,
            hold_timer_expirations: 1 - up,
            keepalives_received: alive,
            keepalives_sent: alive,
            opens_received: up,
            opens_sent: up,
            prefixes_advertised: up * configured.networks.length,
            prefixes_imported: received,
            transition_to_idle: 1,
            transition_to_connect: 1 + tries,
            transition_to_active: tries,
            transition_to_open_sent: up,
            transition_to_open_confirm: up,
            transition_to_session_setup: up,
            transition_to_established: up,
            updates_received: up * received,
            updates_sent: up,
          }
          return bgpCounters.map((name) => values[name] ?? 0)
        },
      }),
    ]
  })
  const others = inventory.bfd.flatMap((configured, index): Probe[] => {
    if (configured.switch !== its.slot) return []
    const session = bfd[index]
    if (!session) return []
    const { since } = session
    const isUp = session.state === 'up'
    return [
      probeOf({
        since,
        target: 'bfd_session',
        fields: { ...host, peer: configured.peer },
        metrics: bfdCounters,
        read(at) {
          const sent = Math.floor((at - since) / 1000)
          return [sent, isUp ? sent : 0, 0, 0, isUp ? 0 : 1, isUp ? 0 : 1, 1, isUp ? 1 : 0]
        },
      }),
    ]
  })
  return [...bgp, ...others]
}

export function switchProbes(
  driven: Driven,
  outside: () => Outside,
  gatewayId: string,
): { lasting: Probe[]; sessions: () => Probe[] } {
  return {
    lasting: [
      ...linkProbes(driven, outside),
      ...tableProbes(driven, outside),
      sensorProbe(driven, gatewayId),
      ...managementProbes(driven),
      ...routes(driven, outside),
    ],
    sessions: () => sessionProbes(driven, outside()),
  }
}

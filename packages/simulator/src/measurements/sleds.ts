/** Measurements of sleds: CPUs, sensors, links, zones and pools. */
import { collectionSeconds } from '@steading/api'
import type { MeasuredInterface, MeasuredPool, MeasuredSled } from '@steading/control-plane/ports'
import { type Measured, type Probe, probeOf } from './probe.ts'
import { between, seedOf, unit } from './random.ts'
import { HOUSEKEEPING, type SledTotals } from './totals.ts'

const SENSORS_MS = 1000 * collectionSeconds('hardware_component')!
const PORT_MS = 1000 * collectionSeconds('opte_port')!
const NANOSECONDS = 1e6
/** Thermal inertia of the metal. */
const WARMING_MS = 120_000

/** A sled with its pools, and the interfaces of the instances on it. */
export interface SledWithParts {
  sled: MeasuredSled
  pools: readonly MeasuredPool[]
  interfaces: readonly MeasuredInterface[]
}

export const sledFields = (sled: MeasuredSled) => ({
  rack_id: sled.rackId,
  sled_id: sled.id,
  sled_model: sled.model,
  sled_revision: sled.revision,
  sled_serial: sled.serial,
})

/** An id derived from a text, in the form of random ids. */
export function idOf(text: string): string {
  const hex = [0, 1, 2, 3]
    .map((part) => seedOf(`${part} ${text}`).toString(16).padStart(8, '0'))
    .join('')
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5')
}

const cpuStates = ['idle', 'intr', 'kernel', 'user'] as const

/** Time of each CPU: machines use all of them, some slightly more than others. */
function cpuProbes(sled: MeasuredSled, totals: SledTotals): Probe {
  const { since } = totals
  const cpus = Array.from({ length: sled.threads }, (_, cpu) => cpu)
  const weights = cpus.map((cpu) => between(seedOf(sled.id), cpu, 0.9, 1))
  return probeOf({
    since,
    target: 'sled_cpu',
    fields: sledFields(sled),
    metrics: cpus.flatMap((cpu_id) =>
      cpuStates.map((state): Measured => ['cpu_nsec', { cpu_id, state }]),
    ),
    read(at) {
      const passed = at - since
      const work = totals.at(at).cpu / sled.threads
      return cpus.flatMap((cpu) => {
        const share = weights[cpu]! * work * NANOSECONDS
        const own = HOUSEKEEPING * passed * NANOSECONDS
        const user = Math.floor(0.9 * share + 0.4 * own)
        const kernel = Math.floor(0.08 * share + 0.5 * own)
        const intr = Math.floor(0.01 * share + 0.1 * own)
        return [passed * NANOSECONDS - user - kernel - intr, intr, kernel, user]
      })
    },
  })
}

/** A component with sensors: kind, name, identity, and measurements. */
interface Part {
  kind: string
  id: string
  description: string
  sensors: [metric: string, sensor: string, read: (state: SledState) => number][]
}

/** State of a sled at a time. */
interface SledState {
  /** Busy share of the CPUs: current, and smoothed by thermal inertia. */
  busy: number
  warm: number
  /** Joules since the start of monitoring. */
  energy: number
}

const FANS = 6
const SUPPLY_VOLTS = 54

const wattsAt = (busy: number) => 185 + 440 * busy

/** A small fluctuation of each sensor. */
const swing = (name: string, at: number, by: number) =>
  by * (2 * unit(seedOf(name), Math.floor(at / SENSORS_MS)) - 1)

function partsOf(sled: MeasuredSled): Part[] {
  const seed = seedOf(sled.serial)
  const ingress = between(seed, 1, 21, 25)
  const fan = (n: number) => between(seed, 100 + n, -120, 120)
  return [
    {
      kind: 'sbtsi',
      id: 'cpu-0',
      description: 'CPU temperature',
      sensors: [
        ['temperature', 'CPU', ({ warm }) => ingress + 16 + 42 * warm],
        ['amd_cpu_tctl', 'Tctl', ({ warm }) => ingress + 18 + 46 * warm],
      ],
    },
    ...['Southwest', 'South', 'Southeast', 'Northwest', 'North', 'Northeast'].map(
      (place, index): Part => ({
        kind: 'tmp117',
        id: `${place.toLowerCase()}-temperature`,
        description: `${place} air temperature`,
        sensors: [
          [
            'temperature',
            place,
            // Air enters at the south and leaves at the north, warmer.
            ({ warm }) => ingress + (index < 3 ? 1.5 : 9 + 14 * warm) + between(seed, index, 0, 1),
          ],
        ],
      }),
    ),
    {
      kind: 'max31790',
      id: 'fan-controller',
      description: 'Fan controller',
      sensors: Array.from({ length: FANS }, (_, index): Part['sensors'] => [
        ['fan_speed', `Fan ${index}`, ({ warm }) => 3_900 + 7_800 * warm + fan(index)],
        ['pwm', `Fan ${index}`, ({ warm }) => 28 + 60 * warm],
      ]).flat(),
    },
    {
      kind: 'bmr491',
      id: 'main-converter',
      description: 'Converter from 54 to 12 volts',
      sensors: [
        ['input_voltage', 'V54', () => SUPPLY_VOLTS],
        ['voltage', 'V12', () => 12.1],
        ['current', 'V12', ({ busy }) => (0.97 * wattsAt(busy)) / 12.1],
        ['input_current', 'V54', ({ busy }) => wattsAt(busy) / SUPPLY_VOLTS],
        ['power', 'V12', ({ busy }) => 0.97 * wattsAt(busy)],
        ['input_power', 'V54', ({ busy }) => wattsAt(busy)],
        ['input_energy', 'V54', ({ energy }) => energy],
        ['output_energy', 'V12', ({ energy }) => 0.97 * energy],
        ['temperature', 'Converter', ({ warm }) => ingress + 14 + 25 * warm],
      ],
    },
  ]
}

/** f32 readings, rounded to the resolution of a sensor. */
const reading = (value: number) => Math.fround(Math.round(value * 100) / 100)

function sensorProbes(sled: MeasuredSled, totals: SledTotals, gatewayId: string): Probe[] {
  const { since } = totals
  return partsOf(sled).map((part) => {
    const name = `${sled.serial} ${part.id}`
    return probeOf({
      since,
      target: 'hardware_component',
      fields: {
        rack_id: sled.rackId,
        slot: sled.slot,
        chassis_kind: 'sled',
        chassis_serial: sled.serial,
        chassis_model: sled.model,
        chassis_revision: sled.revision,
        hubris_archive_id: '6b4f5a92c0de0017',
        gateway_id: gatewayId,
        component_kind: part.kind,
        component_id: part.id,
        description: part.description,
      },
      metrics: [
        ...part.sensors.map(([metric, sensor]): Measured => [metric, { sensor }]),
        ['poll_error_count', { error: 'timeout' }],
        ...part.sensors
          .slice(0, 1)
          .map(([sensor_kind, sensor]): Measured => [
            'sensor_error_count',
            { sensor, sensor_kind, error: 'missing_data' },
          ]),
      ],
      read(at) {
        const busy = totals.busyIn(SENSORS_MS, at)
        const work = totals.at(at).cpu / (sled.threads * 1000)
        const seconds = (at - since) / 1000
        const state: SledState = {
          busy,
          warm: totals.busyIn(WARMING_MS, at),
          energy: wattsAt(HOUSEKEEPING) * seconds + (wattsAt(1) - wattsAt(0)) * work,
        }
        const values = part.sensors.map(([metric, sensor, read]) => {
          const value = read(state)
          const still = metric.endsWith('energy') || metric === 'pwm'
          return reading(
            still ? value : value + swing(`${name} ${metric} ${sensor}`, at, value / 200),
          )
        })
        // A read times out about once a month.
        return [...values, Math.floor(seconds / (30 * 86_400)), 0]
      },
    })
  })
}

const sixCounters = [
  'bytes_sent',
  'bytes_received',
  'packets_sent',
  'packets_received',
  'errors_sent',
  'errors_received',
]
/** The six counters of a link with given bytes and share sent. */
export function sixOf(bytes: number, sent: number): number[] {
  const out = Math.floor(sent * bytes)
  const into = Math.floor((1 - sent) * bytes)
  return [out, into, Math.floor(out / 870), Math.floor(into / 870), 0, 0]
}

/** Links of a sled to each switch. */
const UPLINKS = ['cxgbe0', 'cxgbe1'] as const

function linkProbes(sled: MeasuredSled, totals: SledTotals): Probe[] {
  const probe = (link_name: string, kind: string, zone_name: string, share: number) =>
    probeOf({
      since: totals.since,
      target: 'sled_data_link',
      fields: { ...sledFields(sled), kind, link_name, zone_name },
      metrics: sixCounters,
      read: (at) => {
        const { traffic, storage } = totals.at(at)
        // Two thirds of disk traffic go to other sleds.
        const bytes = traffic + 0.67 * storage + 40 * (at - totals.since)
        return sixOf(share * bytes, 0.55)
      },
    })
  return [
    ...UPLINKS.map((name) => probe(name, 'physical', 'global', 0.5)),
    probe('underlay0', 'vnic', 'global', 0.02),
    probe('oxControlService0', 'vnic', 'oxz_ntp', 0.0002),
  ]
}

const zoneStates = ['system', 'user', 'waitrq'] as const

function zoneProbes(sled: MeasuredSled, totals: SledTotals): Probe[] {
  const zone = (zone_name: string, zone_type: string, share: number, ofWork: number) =>
    probeOf({
      since: totals.since,
      target: 'zone',
      fields: sledFields(sled),
      metrics: zoneStates.map((state): Measured => [
        'cpu_nsec',
        { zone_name, zone_type, zone_id: idOf(`${sled.id} ${zone_name}`), state },
      ]),
      read(at) {
        const own = HOUSEKEEPING * sled.threads * (at - totals.since)
        const time = NANOSECONDS * (share * own + ofWork * totals.at(at).cpu)
        return [0.35, 0.6, 0.05].map((part) => Math.floor(part * time))
      },
    })
  return [
    zone('global', 'global', 0.5, 0.02),
    zone('oxz_ntp', 'ntp', 0.02, 0),
    zone('oxz_crucible', 'crucible', 0.4, 0.05),
    zone('oxz_propolis', 'propolis', 0, 0.93),
  ]
}

function poolProbes({ sled, pools }: SledWithParts, since: number): Probe[] {
  return pools.flatMap((pool) => {
    const kind = pool.external ? 'external' : 'internal'
    const pool_name = `ox${pool.external ? 'p' : 'i'}_${pool.id}`
    const own = Math.floor(between(seedOf(pool.id), 1, 0.01, 0.04) * pool.size)
    const ofPool = { pool_id: pool.id, pool_kind: kind }
    const base = { since, fields: sledFields(sled) }
    const datasets: [string, string, number][] = pool.external
      ? [
          ['crucible', 'oxz_crucible', pool.used],
          ['debug', 'global', own],
        ]
      : [['install', 'global', own]]
    return [
      probeOf({
        ...base,
        target: 'zfs_pool',
        metrics: ['bytes_allocated', 'bytes_total'].map((metric): Measured => [
          metric,
          { ...ofPool, pool_name },
        ]),
        read: () => [own + pool.used, pool.size],
      }),
      probeOf({
        ...base,
        target: 'zfs_dataset',
        metrics: datasets.map(([dataset_kind, zone_name]): Measured => [
          'bytes_used',
          {
            ...ofPool,
            dataset_id: idOf(`${pool.id} ${dataset_kind}`),
            dataset_kind,
            dataset_name: `${pool_name}/${dataset_kind}`,
            zone_name,
          },
        ]),
        read: () => datasets.map(([, , used]) => used),
      }),
    ]
  })
}

/** Probe of the kernel sampler of a sled. */
function samplerProbe(sled: MeasuredSled, { since }: SledTotals): Probe {
  const targets = ['sled_data_link', 'sled_cpu', 'zone']
  return probeOf({
    since,
    target: 'kstat_sampler',
    fields: { hostname: sled.serial },
    metrics: targets.flatMap((target_name, target_id) =>
      ['samples_dropped', 'expired_targets'].map((metric): Measured => [
        metric,
        { target_id, target_name },
      ]),
    ),
    read: () => targets.flatMap(() => [0, 0]),
  })
}

/** Ports of the virtual network on a sled. */
function portProbes({ sled, interfaces }: SledWithParts, since: number): Probe[] {
  return interfaces.map((nic) => {
    const seed = seedOf(nic.id)
    const rate = between(seed, 1, 40, 2_500) / 1000
    return probeOf({
      since,
      target: 'opte_port',
      fields: {
        ...sledFields(sled),
        interface_id: nic.id,
        interface_kind: 'instance',
        parent_id: nic.instanceId,
        port_name: `opte${seed % 1000}`,
        zone_name: `oxz_propolis-server_${nic.instanceId}`,
      },
      metrics: [
        ...['in', 'out'].flatMap((way) =>
          ['hits', 'misses', 'evictions'].map((what) => `${way}_uft_${what}`),
        ),
        'route_cache_hits',
        'route_cache_misses',
        'route_cache_table_full',
        'in_uft_flows',
        'out_uft_flows',
        'route_cache_occupancy',
      ],
      read(at) {
        const packets = rate * (at - since)
        const flows = Math.round(between(seed, Math.floor(at / PORT_MS), 8, 120))
        const parts = [1, 0.004, 0.0001, 0.8, 0.003, 0.0001, 0.8, 0.001, 0]
        return [...parts.map((part) => Math.floor(part * packets)), flows, flows, flows >> 2]
      },
    })
  })
}

export function sledProbes(its: SledWithParts, totals: SledTotals, gatewayId: string): Probe[] {
  const { sled } = its
  return [
    cpuProbes(sled, totals),
    ...sensorProbes(sled, totals, gatewayId),
    ...linkProbes(sled, totals),
    ...zoneProbes(sled, totals),
    ...poolProbes(its, totals.since),
    ...portProbes(its, totals.since),
    samplerProbe(sled, totals),
  ]
}

export { sixCounters }

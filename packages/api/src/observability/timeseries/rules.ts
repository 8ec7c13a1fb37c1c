/** Limits of time series queries, and the reasons for refusals. */
import type { InstanceState } from '../../compute/instances/rules.ts'
import { ratedUnits } from '../../rules/units.ts'

/** Time limit of a query in milliseconds. */
export const QUERY_TIME_MAX = 30_000
/** Queries that a server evaluates concurrently; others are queued. */
export const QUERIES_AT_ONCE = 4

/**
 * Tolerance in milliseconds: later points were measured while the clock was ahead, or the clock is
 * behind now.
 */
export const AHEAD_MS = 60_000
/** Milliseconds that points from the future are kept, unless their time comes earlier. */
export const AHEAD_KEPT_MS = 7 * 24 * 60 * 60_000

export const timeseriesMessages = {
  noStore: 'This server keeps no time series',
  tookTooLong: `Queries must not take longer than ${QUERY_TIME_MAX / 1000} seconds`,
} as const

/** Reason that an instance cannot be put under load; undefined if it can. */
export const instanceLoadProblem = (state: InstanceState): string | undefined =>
  state === 'running' ? undefined : 'Only instances that are running can be put under load'

/**
 * Sampling interval in seconds by target, or by `target:metric` where the metrics of a target
 * differ.
 */
const sampledEvery: Readonly<Record<string, number>> = {
  virtual_machine: 5,
  'virtual_machine:check': 60,
  'virtual_machine:incomplete_check': 60,
  virtual_disk: 10,
  instance_network_interface: 10,
  collection_target: 60,
  hardware_component: 10,
  sled_cpu: 30,
  sled_data_link: 10,
  switch_data_link: 10,
  switch_port_control_data_link: 30,
  management_network_data_link: 30,
  switch_table: 30,
  dendrite: 30,
  opte_port: 30,
  zfs_dataset: 30,
  zfs_pool: 30,
  zone: 30,
  switch_rib: 30,
  ddm_router: 30,
  ddm_session: 30,
  bgp_session: 30,
  bfd_session: 30,
  static_routing_config: 30,
  mg_lower: 30,
  http_service: 10,
  kstat_sampler: 30,
  oximeter_collector: 10,
}

/**
 * Collection interval of a time series in seconds; undefined for series recorded per event, and for
 * series of other control planes.
 * @param name `target:metric`
 */
export const collectionSeconds = (name: string): number | undefined =>
  sampledEvery[name] ?? sampledEvery[name.slice(0, name.indexOf(':'))]

/**
 * Units of the values of a query. Units of a counter include the sampling interval, unless the
 * values are aligned to a shorter period.
 * @param period longest alignment period in milliseconds; 0 without alignment
 */
export function valueUnits<Units extends string>(
  { name, units, datumType }: { name: string; units: Units; datumType: string },
  period: number,
): ReturnType<typeof ratedUnits<Units>> {
  const seconds = collectionSeconds(name)
  const isCounted = datumType.startsWith('cumulative_') && seconds !== undefined
  const isShorter = isCounted && period > 0 && period < 1000 * seconds
  return ratedUnits(units, isCounted && !isShorter ? seconds : undefined)
}

/** What a query of time series may take, and why it is not answered. */
import type { InstanceState } from '../../compute/instances/rules.ts'
import { ratedUnits } from '../../rules/units.ts'

/** Milliseconds that a query may take. */
export const QUERY_TIME_MAX = 30_000
/** Queries that a server evaluates at a time; others wait for their turn. */
export const QUERIES_AT_ONCE = 4

/**
 * Points that are later than the clock by more than this were measured while it was ahead, or it is
 * behind now. Milliseconds.
 */
export const AHEAD_MS = 60_000
/** Milliseconds for which points of the future are kept, unless their time comes earlier. */
export const AHEAD_KEPT_MS = 7 * 24 * 60 * 60_000

export const timeseriesMessages = {
  noStore: 'This server keeps no time series',
  tookTooLong: `Queries must not take longer than ${QUERY_TIME_MAX / 1000} seconds`,
} as const

/** Why an instance cannot be put under load; undefined if it can. */
export const instanceLoadProblem = (state: InstanceState): string | undefined =>
  state === 'running' ? undefined : 'Only instances that are running can be put under load'

/** Seconds between two samples, by target, and by `target:metric` where one target is measured twice. */
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
 * Collection interval of a time series in seconds; undefined for series that are recorded per event
 * and for those of other control planes.
 * @param name `target:metric`
 */
export const collectionSeconds = (name: string): number | undefined =>
  sampledEvery[name] ?? sampledEvery[name.slice(0, name.indexOf(':'))]

/**
 * The units of the values of a query. Units of a counter include the time between two samples, unless
 * they are aligned over less.
 * @param period milliseconds of the longest alignment; 0 without one
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

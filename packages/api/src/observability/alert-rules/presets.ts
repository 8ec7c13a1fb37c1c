/** Suggested conditions of alert rules. */
import type { AlertComparison, AlertSeverity } from './rules.ts'
import { collectionSeconds } from '../timeseries/rules.ts'
import { fromStep, ratedUnits, unitSteps } from '../../rules/units.ts'

export interface AlertRulePreset {
  title: string
  description: string
  query: string
  comparison: AlertComparison
  /** In the unit of the measurement; null for missing values. */
  threshold: number | null
  /** Seconds. */
  duration: number
  severity: AlertSeverity
}

/** An amount in the unit of the measurement. */
function measured(amount: number, unit: string, units: string): number {
  const step = unitSteps(units).find((one) => one.unit === unit)
  if (!step) throw new RangeError(`no ${unit} of ${units}`)
  return fromStep(amount, step)
}

const perSample = (name: string, units: string): string =>
  ratedUnits(units, collectionSeconds(name))

const cpu = (percent: number, name: string): number =>
  measured(percent, '%', perSample(name, 'nanoseconds'))
const traffic = (mebibytes: number, name: string): number =>
  measured(mebibytes, 'MiB/s', perSample(name, 'bytes'))

type Counted = Pick<AlertRulePreset, 'title' | 'description' | 'severity'> & {
  name: string
  by: string
}

/** Fires as soon as an error counter increases at all. */
const anyOf = ({ name, by, ...preset }: Counted): AlertRulePreset => ({
  ...preset,
  query: `get ${name}\n| align mean_within(1m)\n| group_by [${by}], sum`,
  comparison: 'above',
  threshold: 0,
  duration: 0,
})

const FIVE_MINUTES = 300

const ofProject: readonly AlertRulePreset[] = [
  {
    title: 'CPU above 90%',
    description: 'An instance keeps its vCPUs busy, on average over all of them',
    query:
      'get virtual_machine:vcpu_usage\n| filter state == "run"\n| align mean_within(1m)\n| group_by [instance_id], mean',
    comparison: 'above',
    threshold: cpu(90, 'virtual_machine:vcpu_usage'),
    duration: FIVE_MINUTES,
    severity: 'warning',
  },
  {
    title: 'Waiting for a CPU above 10%',
    description: 'The vCPUs of an instance wait for a CPU of their sled',
    query:
      'get virtual_machine:vcpu_usage\n| filter state == "waiting"\n| align mean_within(1m)\n| group_by [instance_id], mean',
    comparison: 'above',
    threshold: cpu(10, 'virtual_machine:vcpu_usage'),
    duration: FIVE_MINUTES,
    severity: 'warning',
  },
  {
    title: 'Disk writes above 100 MiB/s',
    description: 'A disk is written to at a high rate',
    query: 'get virtual_disk:bytes_written\n| align mean_within(1m)\n| group_by [disk_id], sum',
    comparison: 'above',
    threshold: traffic(100, 'virtual_disk:bytes_written'),
    duration: FIVE_MINUTES,
    severity: 'warning',
  },
  anyOf({
    title: 'Failed disk reads',
    description: 'A read from a disk fails',
    name: 'virtual_disk:failed_reads',
    by: 'disk_id',
    severity: 'critical',
  }),
  anyOf({
    title: 'Failed disk writes',
    description: 'A write to a disk fails',
    name: 'virtual_disk:failed_writes',
    by: 'disk_id',
    severity: 'critical',
  }),
  {
    title: 'Traffic received above 100 MiB/s',
    description: 'The network interfaces of an instance receive at a high rate',
    query:
      'get instance_network_interface:bytes_received\n| align mean_within(1m)\n| group_by [instance_id], sum',
    comparison: 'above',
    threshold: traffic(100, 'instance_network_interface:bytes_received'),
    duration: FIVE_MINUTES,
    severity: 'warning',
  },
  anyOf({
    title: 'Dropped packets',
    description: 'A network interface of an instance drops packets',
    name: 'instance_network_interface:packets_dropped',
    by: 'instance_id',
    severity: 'warning',
  }),
  {
    title: 'Instance stopped',
    description: 'An instance has stopped reporting',
    query:
      'get virtual_machine:vcpu_usage\n| filter state == "run"\n| align mean_within(1m)\n| group_by [instance_id], mean',
    comparison: 'no_data',
    threshold: null,
    duration: FIVE_MINUTES,
    severity: 'critical',
  },
]

const ofSystem: readonly AlertRulePreset[] = [
  {
    title: 'CPUs of a sled above 90%',
    description: 'The CPUs of a sled are idle less than a tenth of the time',
    query:
      'get sled_cpu:cpu_nsec\n| filter state == "idle"\n| align mean_within(1m)\n| group_by [sled_serial], mean',
    comparison: 'below',
    threshold: cpu(10, 'sled_cpu:cpu_nsec'),
    duration: FIVE_MINUTES,
    severity: 'warning',
  },
  {
    title: 'Temperature of a sled above 85 °C',
    description: "Average across the sled's sensors",
    query:
      'get hardware_component:temperature\n| filter chassis_kind == "sled"\n| align mean_within(1m)\n| group_by [chassis_serial]',
    comparison: 'above',
    threshold: 85,
    duration: FIVE_MINUTES,
    severity: 'critical',
  },
  {
    title: 'Storage pool above 2.5 TiB',
    description: 'Bytes allocated in a storage pool',
    query: 'get zfs_pool:bytes_allocated\n| align mean_within(5m)\n| group_by [pool_name], mean',
    comparison: 'above',
    threshold: measured(2.5, 'TiB', 'bytes'),
    duration: FIVE_MINUTES,
    severity: 'warning',
  },
  {
    title: 'Provisioned storage above 100 TiB',
    description: 'Disks and snapshots of a silo, of a project or of the fleet',
    query:
      'get collection_target:virtual_disk_space_provisioned\n| align mean_within(5m)\n| group_by [id], mean',
    comparison: 'above',
    threshold: measured(100, 'TiB', 'bytes'),
    duration: FIVE_MINUTES,
    severity: 'warning',
  },
  {
    title: 'Memory of running instances above 1 TiB',
    description: 'Memory that running instances of a silo, a project or the fleet are given',
    query: 'get collection_target:ram_provisioned\n| align mean_within(5m)\n| group_by [id], mean',
    comparison: 'above',
    threshold: measured(1, 'TiB', 'bytes'),
    duration: FIVE_MINUTES,
    severity: 'warning',
  },
  {
    title: 'No measurements of a sled',
    description: 'A sled has stopped reporting',
    query: 'get sled_cpu:cpu_nsec\n| align mean_within(1m)\n| group_by [sled_serial], mean',
    comparison: 'no_data',
    threshold: null,
    duration: FIVE_MINUTES,
    severity: 'critical',
  },
  anyOf({
    title: 'Packets with wrong checksums',
    description: 'A link of a switch drops packets with a wrong checksum',
    name: 'switch_data_link:receive_crc_error_drops',
    by: 'port_id',
    severity: 'warning',
  }),
  anyOf({
    title: 'Silent BGP peers',
    description: 'A BGP session ends because nothing was heard for the hold time',
    name: 'bgp_session:hold_timer_expirations',
    by: 'peer',
    severity: 'critical',
  }),
  anyOf({
    title: 'Failed collections',
    description: 'Samples cannot be collected',
    name: 'oximeter_collector:failed_collections',
    by: 'base_route',
    severity: 'warning',
  }),
]

/** Presets of project rules and of system rules. */
export const alertRulePresets = { project: ofProject, system: ofSystem } as const

import { InstanceState } from '../../compute/instances/states.ts'
import { diskStates } from '../../storage/disks/rules.ts'
import {
  boolean,
  ByteCount,
  dateTime,
  double,
  list,
  Name,
  named,
  oneOf,
  record,
  string,
  uint32,
  uint64,
  uuid,
} from '../../schema.ts'
import { OverviewChange } from '../audit-log/schemas.ts'
import { Briefing } from '../briefings/schemas.ts'
import { issueFields } from '../issues/schemas.ts'
import {
  attentionClasses,
  chartUnits,
  overviewChartNames,
  physicalDiskConditions,
  sledConditions,
} from './rules.ts'

/** The resource of an item, with the names of its containers; null where there is none. */
const AttentionResource = record('AttentionResource', {
  kind: string,
  id: uuid,
  name: string,
  project: Name.nullable(),
  silo: Name.nullable(),
})

/** An issue, as far as the caller may know of it. Its sentence omits the scope of the overview. */
const AttentionItem = record('AttentionItem', {
  ...issueFields,
  class: named('AttentionClass', oneOf(...attentionClasses)),
  /** Null if the issue is about several resources, or none. */
  resource: AttentionResource.nullable(),
})

const Attention = record('OverviewAttention', {
  /** Worst first, then newest first. */
  items: list(AttentionItem),
  /** Items of each severity, including those that are not listed. */
  critical: uint32,
  warning: uint32,
  /** Whether some kind has more issues than are counted. */
  more: boolean,
})

const InstanceCount = record('InstanceStateCount', { state: InstanceState, count: uint64 })
const DiskCount = record('DiskStateCount', { state: oneOf(...diskStates), count: uint64 })

/** Resources of a project, or of the projects of the silo that the caller may read. */
const ProjectInventory = record('ProjectInventory', {
  /** All states. */
  instances: list(InstanceCount),
  disks: list(DiskCount),
  disk_bytes: ByteCount,
  snapshots: uint64,
  /** Images of projects, and those of the silo if the caller may read them. */
  images: uint64,
  floating_ips: uint64,
  /** Ephemeral and floating addresses. */
  external_ips: uint64,
  vpcs: uint64,
})

const SiloInventory = record('SiloInventory', {
  /** Projects that the caller may read. */
  projects: uint64,
  users: uint64,
  groups: uint64,
})

export const SledCondition = named('SledCondition', oneOf(...sledConditions))
const SledCount = record('SledConditionCount', {
  condition: SledCondition,
  count: uint64,
})
export const PhysicalDiskCondition = named(
  'PhysicalDiskCondition',
  oneOf(...physicalDiskConditions),
)
const PhysicalDiskCount = record('PhysicalDiskConditionCount', {
  condition: PhysicalDiskCondition,
  count: uint64,
})
const PoolUse = record('IpPoolUse', { id: uuid, name: Name, used: double, capacity: double })

const FleetInventory = record('FleetInventory', {
  silos: uint64,
  racks: uint64,
  /** All conditions. */
  sleds: list(SledCount),
  physical_disks: list(PhysicalDiskCount),
  /** The fullest first; at most twenty. */
  ip_pools: list(PoolUse),
})

const Inventory = record('OverviewInventory', {
  /** Null for the fleet, whose viewers do not see projects. */
  project: ProjectInventory.nullable(),
  silo: SiloInventory.nullable(),
  fleet: FleetInventory.nullable(),
})

const Amount = record('OverviewAmount', {
  provisioned: uint64,
  /** Quota of the silo, or capacity of the fleet. */
  limit: uint64,
  /** Amount that counts against the limit: the provisioned amount of the whole silo or fleet. */
  used: uint64,
})
const Capacity = record('OverviewCapacity', { cpus: Amount, memory: Amount, storage: Amount })

const Chart = record('OverviewChart', {
  name: named('OverviewChartName', oneOf(...overviewChartNames)),
  unit: named('OverviewChartUnit', oneOf(...chartUnits)),
  /** End of the first value's step. */
  time_first: dateTime,
  /** Seconds between values. */
  step: uint32,
  /** Null where nothing was measured. */
  values: list(double.nullable()),
})

const TimelineHour = record('TimelineHour', {
  time_begun: dateTime,
  succeeded: uint64,
  failed: uint64,
})

const Timeline = record('OverviewTimeline', {
  /** Changes by hour, the current one last. */
  hours: list(TimelineHour),
  /** The newest changes of these hours, those alike in succession as one. */
  changes: list(OverviewChange),
})

/**
 * Overview of a project, a silo or the fleet. A section is null if the caller may not read any of
 * it.
 */
export const Overview = record('Overview', {
  attention: Attention.nullable(),
  inventory: Inventory.nullable(),
  capacity: Capacity.nullable(),
  /** Charts of the last hour; those that the caller may not read, or nobody measures, are absent. */
  charts: list(Chart).nullable(),
  timeline: Timeline.nullable(),
  briefing: Briefing,
})

/** Overviews: the first page of a project, a silo and the fleet. */
import type { IssueKind } from '../../kinds/issues.ts'

/** Items that need attention, at most; the worst come first. */
export const ATTENTION_SHOWN = 20

export const attentionClasses = [
  'instance',
  'alert_rule',
  'schedule',
  'quota',
  'pool',
  'certificate',
  'issue',
] as const
export type AttentionClass = (typeof attentionClasses)[number]

/** Beginning of a kind of issue → its class. All others are of the class `issue`. */
const classes: [begins: string, of: AttentionClass][] = [
  ['instance_', 'instance'],
  ['alert_rule_', 'alert_rule'],
  ['schedule_', 'schedule'],
  ['silo_near_quota', 'quota'],
  ['ip_pool_', 'pool'],
  ['subnet_pool_', 'pool'],
  ['certificate_', 'certificate'],
]

export const attentionClassOf = (kind: IssueKind): AttentionClass =>
  classes.find(([begins]) => kind.startsWith(begins))?.[1] ?? 'issue'

/** Sleds by their condition. */
export const sledConditions = [
  'in_service',
  'not_provisionable',
  'updating',
  'not_responding',
  'expunged',
] as const
export type SledCondition = (typeof sledConditions)[number]

/** Physical disks by their condition. */
export const physicalDiskConditions = ['in_service', 'failed', 'expunged'] as const
export type PhysicalDiskCondition = (typeof physicalDiskConditions)[number]

export const chartUnits = ['cpus', 'bytes', 'bytes_per_second', 'watts', 'per_second'] as const
export type ChartUnit = (typeof chartUnits)[number]

/** All charts, with the unit of their values. */
export const overviewCharts = {
  cpus_used: 'cpus',
  disk_traffic: 'bytes_per_second',
  network_traffic: 'bytes_per_second',
  cpus_provisioned: 'cpus',
  memory_provisioned: 'bytes',
  storage_provisioned: 'bytes',
  power: 'watts',
  requests: 'per_second',
} as const satisfies Record<string, ChartUnit>
export type OverviewChartName = keyof typeof overviewCharts
export const overviewChartNames = Object.keys(overviewCharts) as OverviewChartName[]

/** Points of a chart, and the seconds of each. */
export const CHART_POINTS = 60
export const CHART_STEP_SECONDS = 60

/** Hours of the timeline, the current one included, and its newest changes. */
export const TIMELINE_HOURS = 24
export const TIMELINE_SHOWN = 20

/** Places with an overview. */
export type OverviewScope = 'project' | 'silo' | 'fleet'

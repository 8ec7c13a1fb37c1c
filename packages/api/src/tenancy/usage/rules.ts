/** Usage over time: records of what resources took, from when until when, and reports of them. */

/**
 * Measures of use, each with the unit whose hours are counted. A running instance counts its vCPUs
 * and memory as long as it holds them, as the quotas do; a stopped one counts only its disks. Disks,
 * snapshots, images, addresses and subnets count from their creation to their deletion. Addresses of
 * outbound translation (SNAT) are shared, and do not count.
 */
export const usageMetricTable = {
  vcpu: { label: 'vCPUs', unit: 'vCPU hour' },
  memory: { label: 'Memory', unit: 'GiB hour' },
  disk: { label: 'Disks', unit: 'GiB hour' },
  snapshot: { label: 'Snapshots', unit: 'GiB hour' },
  image: { label: 'Images', unit: 'GiB hour' },
  ephemeral_ip: { label: 'Ephemeral IPs', unit: 'address hour' },
  floating_ip: { label: 'Floating IPs', unit: 'address hour' },
  external_subnet: { label: 'External subnets', unit: 'subnet hour' },
} as const satisfies Record<string, { label: string; unit: string }>
export type UsageMetric = keyof typeof usageMetricTable
export const usageMetrics = Object.keys(usageMetricTable) as [UsageMetric, ...UsageMetric[]]

/** Lines of a report: one in total, one for each silo, or one for each project. */
export const usageGroupings = ['total', 'silo', 'project'] as const
export type UsageGrouping = (typeof usageGroupings)[number]

/** Retention of records in days after their end: three years, and the month that they end in. */
export const USAGE_KEPT_DAYS = 3 * 366 + 31
export const USAGE_KEPT_MS = USAGE_KEPT_DAYS * 24 * 60 * 60 * 1000
/** Maximum number of days in a report. */
export const USAGE_DAYS_MAX = 366
/** Maximum number of lines in a report. */
export const USAGE_LINES_MAX = 10_000
/** Decimals of the quantities in a report; a millisecond of one unit is more than the last one. */
export const USAGE_DECIMALS = 9

const DAY = /^(19[7-9]|[2-8]\d\d)\d-\d{2}-\d{2}$/

/** Whether a text is a day of the calendar, `YYYY-MM-DD`, from 1970 on. */
export function isDay(text: string): boolean {
  if (!DAY.test(text)) return false
  const ms = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}

export const usageMessages = {
  day: 'day is written YYYY-MM-DD, from 1970 on',
  order: 'first_day may not be later than last_day',
  tooLong: `a report may cover at most ${USAGE_DAYS_MAX} days`,
  tooManyLines: `the report has more than ${USAGE_LINES_MAX} lines; choose a silo or a project, or group by less`,
} as const

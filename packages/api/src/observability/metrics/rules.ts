/** How the provisioned capacity is followed, change by change. */

export const provisionedMetrics = [
  'virtual_disk_space_provisioned',
  'cpus_provisioned',
  'ram_provisioned',
] as const
export type ProvisionedMetric = (typeof provisionedMetrics)[number]

/** The metrics of a disk for clients from before OxQL → the time series that they are read from. */
export const diskMetrics = {
  /** How often the disk was activated is not measured. */
  activated: undefined,
  flush: 'virtual_disk:flushes',
  read: 'virtual_disk:reads',
  read_bytes: 'virtual_disk:bytes_read',
  write: 'virtual_disk:writes',
  write_bytes: 'virtual_disk:bytes_written',
} as const
export type DiskMetric = keyof typeof diskMetrics

/** Days for which the points are kept. */
const PROVISIONED_KEPT_DAYS = 90
export const PROVISIONED_KEPT_MS = PROVISIONED_KEPT_DAYS * 24 * 60 * 60 * 1000
/** A point is recorded at each change, and after so long without one. */
export const PROVISIONED_EVERY_MS = 24 * 60 * 60 * 1000

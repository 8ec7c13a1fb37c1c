/** Time series of the provisioned capacity, with a point per change. */

export const provisionedMetrics = [
  'virtual_disk_space_provisioned',
  'cpus_provisioned',
  'ram_provisioned',
] as const
export type ProvisionedMetric = (typeof provisionedMetrics)[number]

/** Disk metrics of clients older than OxQL → the time series that they read. */
export const diskMetrics = {
  /** Disk activations are not measured. */
  activated: undefined,
  flush: 'virtual_disk:flushes',
  read: 'virtual_disk:reads',
  read_bytes: 'virtual_disk:bytes_read',
  write: 'virtual_disk:writes',
  write_bytes: 'virtual_disk:bytes_written',
} as const
export type DiskMetric = keyof typeof diskMetrics

/** Retention of points in days. */
const PROVISIONED_KEPT_DAYS = 90
export const PROVISIONED_KEPT_MS = PROVISIONED_KEPT_DAYS * 24 * 60 * 60 * 1000
/** A point is recorded at each change, and after this time without one. */
export const PROVISIONED_EVERY_MS = 24 * 60 * 60 * 1000

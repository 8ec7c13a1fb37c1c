import { ByteCount, int64, record } from '../schema.ts'

export const VirtualResourceCounts = record('VirtualResourceCounts', {
  cpus: int64,
  memory: ByteCount,
  storage: ByteCount,
})
/** What a silo uses, and its quota. */
export const Utilization = record('Utilization', {
  provisioned: VirtualResourceCounts,
  capacity: VirtualResourceCounts,
})

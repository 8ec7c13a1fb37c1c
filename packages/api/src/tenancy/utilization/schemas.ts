import { ByteCount, int64, Name, record, uuid } from '../../schema.ts'

export const VirtualResourceCounts = record('VirtualResourceCounts', {
  cpus: int64,
  memory: ByteCount,
  storage: ByteCount,
})
/** Usage of a silo, and its quota. */
export const Utilization = record('Utilization', {
  provisioned: VirtualResourceCounts,
  capacity: VirtualResourceCounts,
})
/** The same, as shown to operators. */
export const SiloUtilization = record('SiloUtilization', {
  silo_id: uuid,
  silo_name: Name,
  provisioned: VirtualResourceCounts,
  allocated: VirtualResourceCounts,
})

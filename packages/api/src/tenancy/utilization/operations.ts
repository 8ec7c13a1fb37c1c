import { ByteCount, int64, Name, record, uuid } from '../../schema.ts'
import { usual } from '../../kinds/usual.ts'

const VirtualResourceCounts = record('VirtualResourceCounts', {
  cpus: int64,
  memory: ByteCount,
  storage: ByteCount,
})
/** Usage of a silo, and its quota. */
const Utilization = record('Utilization', {
  provisioned: VirtualResourceCounts,
  capacity: VirtualResourceCounts,
})
/** The same, as shown to operators. */
const SiloUtilization = record('SiloUtilization', {
  silo_id: uuid,
  silo_name: Name,
  provisioned: VirtualResourceCounts,
  allocated: VirtualResourceCounts,
})

export const utilizationOperations = {
  ...usual('silo', { item: Utilization, id: 'utilization', path: '/v1/utilization', tag: 'silos' })(
    {
      utilization_view: { summary: "Show the utilization of the caller's silo" },
    },
  ),
  ...usual('silo', {
    item: SiloUtilization,
    id: 'silo_utilization',
    path: '/v1/system/utilization/silos/{silo}',
    tag: 'system/silos',
  })({
    silo_utilization_list: {
      summary: 'List the utilization of each discoverable silo',
      permission: { fleet: 'list' },
    },
    silo_utilization_view: { summary: 'Show the utilization of a silo' },
  }),
}

import { SiloUtilization, Utilization } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

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

import { SiloSubnetPool } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const subnetPoolOperations = {
  ...usual('subnet_pool', { item: SiloSubnetPool, path: '/v1/subnet-pools/{pool}' })({
    subnet_pool_list: { summary: "List the subnet pools linked to the caller's silo" },
    subnet_pool_view: { summary: "Show a subnet pool linked to the caller's silo" },
  }),
  ...usual('subnet_pool', {
    item: SiloSubnetPool,
    id: 'project_subnet_pool',
    path: '/x/v1/projects/{project}/subnet-pools/{pool}',
  })({
    project_subnet_pool_list: {
      summary: 'List the subnet pools from which a project may allocate',
      permission: { project: 'list' },
    },
  }),
}

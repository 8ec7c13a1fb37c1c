import { ListedVpc, Vpc, VpcCreate, VpcUpdate } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const vpcOperations = usual('vpc', { item: Vpc })({
  vpc_list: {},
  vpc_search: { pages: ListedVpc, columns: ['dns_name'] },
  vpc_create: {
    summary: 'Create a VPC with its default subnet, router, gateway and firewall rules',
    // Networks require a stronger role than other contents of a project, so the VPC's row decides.
    permission: { project: 'read', vpc: 'modify' },
    body: VpcCreate,
  },
  vpc_view: {},
  vpc_update: { summary: 'Rename or describe a VPC, or change its DNS name', body: VpcUpdate },
  vpc_delete: { summary: 'Delete a VPC that has no subnets' },
  vpc_deletion: {},
})

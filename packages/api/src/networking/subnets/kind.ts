import { networking } from '../../rules/roles.ts'
import { networkReads } from '../reachability/rules.ts'
import type { Kind } from '../../kinds/kind.ts'

export const vpc_subnet = {
  words: 'subnet',
  resource: 'subnets',
  access: networking,
  parent: 'vpc',
  selectors: {
    both: 'when providing subnet as an ID, vpc and project should not be specified',
    neither: 'subnet should either be an ID or vpc should be specified',
  },
  listed: true,
  reads: ['vpc_router_route_list', 'vpc_deletion', 'project_deletion', ...networkReads],
  bulk: ['delete'],
  deletion: {
    after: ['instance'],
    contains: ['network_interface', 'probe'],
    refusal: 'VPC Subnet cannot be deleted while network interfaces in the subnet exist',
  },
} as const satisfies Kind

import { VpcNetworkStatus } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const vpcNetworkOperations = usual('vpc')({
  vpc_network_status_view: {
    route: 'GET network-status',
    extension: true,
    summary: 'Show whether the network of a VPC is in effect on all hosts',
    answer: VpcNetworkStatus,
  },
})

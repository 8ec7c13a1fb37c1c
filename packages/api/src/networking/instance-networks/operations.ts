import { InstanceNetwork } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const instanceNetworkOperations = usual('instance')({
  instance_network_view: {
    route: 'GET network',
    extension: true,
    summary: 'Show the network of an instance as its engine has applied it',
    answer: InstanceNetwork,
  },
})

import type { InternetGateway, ListedInternetGateway } from '@steading/api/client'
import type { ListDefinition } from '../../data/lists.ts'

export const gatewayListDefinition: ListDefinition<'internetGatewayList'> = {
  kind: 'internet_gateway',
  id: 'internet-gateways',
  operation: 'internetGatewayList',
  searched: 'internetGatewaySearch',
}

/** With what it consists of, if the control plane sends it. */
export type GatewayRow = InternetGateway &
  Partial<Pick<ListedInternetGateway, 'ipPools' | 'ipAddresses' | 'routeCount'>>

import type { InternetGateway, ListedInternetGateway } from '@steading/api/client'
import { useQueries, useQuery } from '@tanstack/react-query'
import { ALL_ITEMS, apiQuery } from '../../data/api.ts'
import type { ListDefinition } from '../../data/lists.ts'
import { allRoutersQuery, routesOfQuery } from '../routers/queries.ts'
import type { VpcParams } from '../vpcs/queries.ts'

export const gatewayListDefinition: ListDefinition<'internetGatewayList'> = {
  kind: 'internet_gateway',
  id: 'internet-gateways',
  operation: 'internetGatewayList',
}

/** A gateway, with its contents if the control plane sends them. */
export type GatewayRow = InternetGateway &
  Partial<Pick<ListedInternetGateway, 'ipPools' | 'ipAddresses' | 'routeCount'>>

export type GatewayParams = VpcParams & { gateway: string }

export const gatewayArgs = ({ project, vpc, gateway }: GatewayParams) => ({
  path: { gateway },
  query: { project, vpc },
})

export const gatewayQuery = (params: GatewayParams) =>
  apiQuery('internetGatewayView', gatewayArgs(params))

export const attachedPoolsQuery = (params: GatewayParams) =>
  apiQuery('internetGatewayIpPoolList', { query: { ...params, limit: ALL_ITEMS } })

export const attachedAddressesQuery = (params: GatewayParams) =>
  apiQuery('internetGatewayIpAddressList', { query: { ...params, limit: ALL_ITEMS } })

/** The routes of a VPC to a gateway; undefined until the routes of all routers are loaded. */
export function useRoutesTo({ gateway, ...params }: GatewayParams) {
  const { data: routers } = useQuery(allRoutersQuery(params))
  const reads = useQueries({ queries: (routers?.items ?? []).map(({ id }) => routesOfQuery(id)) })
  if (!routers || reads.some(({ isPending }) => isPending)) return undefined
  return routers.items.flatMap((router, index) =>
    (reads[index]!.data?.items ?? [])
      .filter(({ target }) => target.type === 'internet_gateway' && target.value === gateway)
      .map((route) => ({ id: route.id, router: router.name, route })),
  )
}

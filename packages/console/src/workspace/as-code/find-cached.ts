import type { MethodName } from '@steading/api/client'
import { operationsOf, queryClient } from '../../data/api.ts'
import type { Kind, FindCached, CachedResource } from '@steading/api/terraform'

const reads: Record<Kind, readonly MethodName[]> = {
  project: ['projectView', 'projectList'],
  disk: ['diskView', 'diskList', 'instanceDiskList'],
  instance: ['instanceView', 'instanceList'],
  image: ['imageView', 'imageList', 'projectSiloImageList', 'projectSiloImageView'],
  snapshot: ['snapshotView', 'snapshotDetailsView', 'snapshotList'],
  floatingIp: ['floatingIpView', 'floatingIpList'],
  externalSubnet: ['externalSubnetView', 'externalSubnetList', 'instanceExternalSubnetList'],
  subnetPool: [
    'subnetPoolView',
    'subnetPoolList',
    'projectSubnetPoolList',
    'systemSubnetPoolView',
    'systemSubnetPoolList',
    'siloSubnetPoolList',
  ],
  antiAffinityGroup: ['antiAffinityGroupView', 'antiAffinityGroupList'],
  ipPool: [
    'ipPoolList',
    'projectIpPoolList',
    'systemIpPoolView',
    'systemIpPoolList',
    'siloIpPoolList',
  ],
  vpc: ['vpcView', 'vpcList'],
  vpcSubnet: ['vpcSubnetView', 'vpcSubnetList'],
  vpcRouter: ['vpcRouterView', 'vpcRouterList'],
  routerRoute: ['vpcRouterRouteView', 'vpcRouterRouteList'],
  internetGateway: ['internetGatewayView', 'internetGatewayList'],
  sshKey: ['currentUserSshKeyView', 'currentUserSshKeyList'],
  silo: ['siloView', 'siloList'],
  addressLot: ['networkingAddressLotList'],
  networkInterface: ['instanceNetworkInterfaceList'],
}

const isResource = (value: unknown): value is CachedResource =>
  typeof value === 'object' && value !== null && 'id' in value && 'name' in value

/** Cached resources; the code causes no requests. */
export const findCached: FindCached = (kind, nameOrId) => {
  const names = new Set<string>(reads[kind])
  const queries = queryClient.getQueryCache().findAll({
    predicate: ({ queryKey }) => operationsOf(queryKey).some((name) => names.has(name)),
  })
  return queries
    .flatMap(({ state: { data } }) => {
      const { items = [data] } = (data ?? {}) as { items?: unknown[] }
      return items.filter(isResource)
    })
    .find(({ id, name }) => id === nameOrId || name === nameOrId)
}

import type { ExternalSubnet, IpVersion } from '@steading/api/client'
import { cidrVersion } from '@steading/api/rules'
import type { PlannedChange } from '../reachability/what-changes.tsx'
import { ALL_ITEMS, apiQuery } from '../../data/api.ts'
import type { ListDefinition } from '../../data/lists.ts'

export const externalSubnetListDefinition: ListDefinition<'externalSubnetList'> = {
  kind: 'external_subnet',
  id: 'external-subnets',
  operation: 'externalSubnetList',
  searched: 'externalSubnetSearch',
  filters: { attached: ['yes', 'no'], pool: 'names' },
}

/** All external subnets of a project, to choose from. */
export const externalSubnetsQuery = (project: string) =>
  apiQuery('externalSubnetList', { query: { project, limit: ALL_ITEMS } })

/** External subnets that are not attached, of the versions an instance supports. */
export const availableExternalSubnets = (
  subnets: readonly ExternalSubnet[],
  versions: readonly IpVersion[],
): ExternalSubnet[] =>
  subnets.filter(({ instanceId, subnet }) => !instanceId && versions.includes(cidrVersion(subnet)!))

/** An external subnet that would be attached to an instance, both by their IDs. */
export const plannedAttachment = (externalSubnet: string, instance: string): PlannedChange => ({
  body: { type: 'external_subnet_attach', externalSubnet, attach: { instance } },
})

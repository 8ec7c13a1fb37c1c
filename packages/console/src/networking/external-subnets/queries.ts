import type { ExternalSubnet, IpVersion } from '@steading/api/client'
import { cidrVersion } from '@steading/api/rules'
import type { PlannedChange } from '../reachability/connection-changes.tsx'
import { ALL_ITEMS, apiQuery } from '../../data/api.ts'
import type { ListDefinition } from '../../data/lists.ts'

export const externalSubnetListDefinition: ListDefinition<'externalSubnetList'> = {
  kind: 'external_subnet',
  id: 'external-subnets',
  operation: 'externalSubnetList',
  filters: { attached: ['yes', 'no'], pool: 'names' },
}

/** All external subnets of a project, for pickers. */
export const externalSubnetsQuery = (project: string) =>
  apiQuery('externalSubnetList', { query: { project, limit: ALL_ITEMS } })

/** Detached external subnets of the IP versions an instance supports. */
export const availableExternalSubnets = (
  subnets: readonly ExternalSubnet[],
  versions: readonly IpVersion[],
): ExternalSubnet[] =>
  subnets.filter(({ instanceId, subnet }) => !instanceId && versions.includes(cidrVersion(subnet)!))

/** The planned attachment of an external subnet to an instance, both by ID. */
export const plannedAttachment = (externalSubnet: string, instance: string): PlannedChange => ({
  body: { type: 'external_subnet_attach', externalSubnet, attach: { instance } },
})

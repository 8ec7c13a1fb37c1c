import { useParams } from '@tanstack/react-router'
import { ALL_ITEMS, apiQuery, PAGE_SIZE } from '../data/api.ts'
import { orPlain } from '../data/or-plain.ts'

export const sledQuery = (sledId: string) => apiQuery('sledView', { path: { sledId } })
/** Only control planes with our extensions say what is used of a sled. */
export const sledDetailsQuery = (sledId: string) =>
  apiQuery('sledDetailsView', { path: { sledId } })
export const sledInstancesQuery = (sledId: string, pageToken?: string) =>
  apiQuery('sledInstanceList', { path: { sledId }, query: { limit: PAGE_SIZE, pageToken } })
export const sledDisksQuery = (sledId: string, pageToken?: string) =>
  apiQuery('sledPhysicalDiskList', { path: { sledId }, query: { limit: PAGE_SIZE, pageToken } })

/** All sleds as every control plane lists them. */
export const allSledsQuery = apiQuery('sledList', { query: { limit: ALL_ITEMS } })

export const racksQuery = apiQuery('rackList', { query: { limit: ALL_ITEMS } })
export const switchesQuery = orPlain(
  'hardware',
  apiQuery('switchDetailsList', {}),
  apiQuery('switchList', { query: { limit: ALL_ITEMS } }),
)
export const membershipQuery = (rackId: string) =>
  apiQuery('rackMembershipStatus', { path: { rackId } })

export const waitingSledsQuery = apiQuery('sledListUninitialized', { query: { limit: ALL_ITEMS } })
export const waitingDisksQuery = apiQuery('physicalDiskListUnadopted', {
  query: { limit: ALL_ITEMS },
})
export const requestsQuery = apiQuery('physicalDiskListAdoptionRequests', {
  query: { limit: ALL_ITEMS },
})
export const replicasQuery = apiQuery('diskReplicaSummary', {})

export const useSledParam = (): string =>
  useParams({ from: '/shell/system/inventory-crumb/system/inventory/sleds/$sledId' }).sledId

import { sledPolicyKinds, sledStates } from '@steading/api/rules'
import { useParams } from '@tanstack/react-router'
import { ALL_ITEMS, apiQuery, call, PAGE_SIZE } from '../../data/api.ts'
import type { ListDefinition } from '../../data/lists.ts'
import { withPlainFallback } from '../../data/capabilities.ts'

export const sledListDefinition: ListDefinition<'sledList'> = {
  kind: 'sled',
  id: 'sleds',
  operation: 'sledList',
  plainSorts: [],
  filters: { policy: sledPolicyKinds, state: sledStates },
}

export const physicalDiskListDefinition: ListDefinition<'physicalDiskList'> = {
  kind: 'physical_disk',
  id: 'physical-disks',
  operation: 'physicalDiskList',
  plainSorts: [],
  filters: { policy: sledPolicyKinds, state: sledStates },
}

export const sledQuery = (sledId: string) => apiQuery('sledView', { path: { sledId } })
/** The details of a sled, including its usage; an extension. */
export const sledDetailsQuery = (sledId: string) =>
  apiQuery('sledDetailsView', { path: { sledId } })
/** The software and the storage of a sled that is a host of libvirt; an extension. */
export const sledHostQuery = (sledId: string) => apiQuery('sledHostView', { path: { sledId } })
export const sledInstancesQuery = (sledId: string, pageToken?: string) =>
  apiQuery('sledInstanceList', { path: { sledId }, query: { limit: PAGE_SIZE, pageToken } })
/** Hardware threads and memory (bytes) of a sled used by its instances. */
export type SledUsage = { usedHardwareThreads: number; usedPhysicalRam: number }

/** The usage of a sled as the sum over its instances, for control planes without the extension. */
export const sledUsageQuery = (sledId: string) => ({
  queryKey: ['sledInstanceList', { path: { sledId } }, 'sum'] as const,
  async queryFn(): Promise<SledUsage> {
    const sum = { usedHardwareThreads: 0, usedPhysicalRam: 0 }
    let pageToken: string | undefined
    do {
      const query = { limit: ALL_ITEMS, pageToken }
      const page = await call('sledInstanceList', { path: { sledId }, query })
      for (const { ncpus, memory } of page.items) {
        sum.usedHardwareThreads += ncpus
        sum.usedPhysicalRam += memory
      }
      pageToken = page.nextPage ?? undefined
    } while (pageToken)
    return sum
  },
})
export const sledDisksQuery = (sledId: string, pageToken?: string) =>
  apiQuery('sledPhysicalDiskList', { path: { sledId }, query: { limit: PAGE_SIZE, pageToken } })

/** All sleds, as listed by every control plane. */
export const allSledsQuery = apiQuery('sledList', { query: { limit: ALL_ITEMS } })

export const racksQuery = apiQuery('rackList', { query: { limit: ALL_ITEMS } })
export const switchesQuery = withPlainFallback(
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

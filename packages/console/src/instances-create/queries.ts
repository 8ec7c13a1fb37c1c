import { diskCan } from '@steading/api/rules'
import { groupsQuery } from '../affinity/queries.ts'
import { ALL_ITEMS, apiQuery, apiQueryErrorsAllowed, usePrefetchedQuery } from '../data/api.ts'
import { projectDisksQuery, projectSnapshotsQuery } from '../disks/queries.ts'
import { floatingIpsQuery } from '../floating-ips/queries.ts'
import { projectImagesQuery, siloImagesQuery } from '../images/queries.ts'
import { ipPoolsQuery } from '../ip-pools/queries.ts'
import { projectVpcsQuery } from '../network-interfaces/queries.ts'

const keysQuery = apiQuery('currentUserSshKeyList', { query: { limit: ALL_ITEMS } })
/** A user may not be allowed to read the utilization; the form works without it. */
const utilizationQuery = apiQueryErrorsAllowed('utilizationView', {})

/** Everything the form offers as choices. */
export const offerQueries = (project: string) => [
  siloImagesQuery,
  projectImagesQuery(project),
  projectSnapshotsQuery(project),
  projectDisksQuery(project),
  ipPoolsQuery,
  projectVpcsQuery(project),
  floatingIpsQuery(project),
  groupsQuery(project),
  keysQuery,
  utilizationQuery,
]

export function useOffer(project: string) {
  const disks = usePrefetchedQuery(projectDisksQuery(project)).data.items
  const utilization = usePrefetchedQuery(utilizationQuery).data
  return {
    siloImages: usePrefetchedQuery(siloImagesQuery).data.items,
    projectImages: usePrefetchedQuery(projectImagesQuery(project)).data.items,
    /** Snapshots that a disk can be created from. */
    snapshots: usePrefetchedQuery(projectSnapshotsQuery(project)).data.items.filter(
      ({ state }) => state === 'ready',
    ),
    disks,
    /** Disks that can be attached to an instance. */
    freeDisks: disks.filter(({ state: { state } }) => diskCan('attach', state)),
    pools: usePrefetchedQuery(ipPoolsQuery).data.items,
    vpcs: usePrefetchedQuery(projectVpcsQuery(project)).data.items,
    floatingIps: usePrefetchedQuery(floatingIpsQuery(project)).data.items,
    groups: usePrefetchedQuery(groupsQuery(project)).data.items,
    keys: usePrefetchedQuery(keysQuery).data.items,
    utilization: utilization.type === 'success' ? utilization.data : undefined,
  }
}

export type Offer = ReturnType<typeof useOffer>

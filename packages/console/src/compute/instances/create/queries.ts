import { diskCan } from '@steading/api/rules'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { groupsQuery } from '../../affinity/queries.ts'
import { ALL_ITEMS, apiQuery, type Outcome } from '../../../data/api.ts'
import { itemsOf, readingOf, type Reading } from '../../../data/reads.ts'
import { projectDisksQuery, projectSnapshotsQuery } from '../../../storage/disks/queries.ts'
import { floatingIpsQuery } from '../../../networking/floating-ips/queries.ts'
import { projectImagesQuery, siloImagesQuery } from '../../../storage/images/queries.ts'
import { utilizationQuery } from '../quota.ts'
import { poolsToChoose, ipPoolsQuery } from '../../../networking/pools/own-pools.ts'
import { projectVpcsQuery } from '../../../networking/vpcs/queries.ts'

const keysQuery = apiQuery('currentUserSshKeyList', { query: { limit: ALL_ITEMS } })

/** The queries of all choices in the form. */
export const offerQueries = (project: string) => [
  siloImagesQuery(project),
  projectImagesQuery(project),
  projectSnapshotsQuery(project),
  projectDisksQuery(project),
  ipPoolsQuery(project),
  projectVpcsQuery(project),
  floatingIpsQuery(project),
  groupsQuery('anti_affinity_group', project),
  keysQuery,
  utilizationQuery,
]

/** The choices of the form. A list is empty while unknown; `reading` has the state of its query. */
export function useOffer(project: string) {
  const siloImages = useQuery(siloImagesQuery(project))
  const projectImages = useQuery(projectImagesQuery(project))
  const snapshots = useQuery(projectSnapshotsQuery(project))
  const disks = useQuery(projectDisksQuery(project))
  const pools = useQuery(ipPoolsQuery(project))
  const vpcs = useQuery(projectVpcsQuery(project))
  const floatingIps = useQuery(floatingIpsQuery(project))
  const groups = useQuery(groupsQuery('anti_affinity_group', project))
  const keys = useQuery(keysQuery)
  const utilization = useQuery(utilizationQuery)
  return {
    siloImages: itemsOf(siloImages),
    projectImages: itemsOf(projectImages),
    /** Snapshots that a disk can be created from. */
    snapshots: itemsOf(snapshots).filter(({ state }) => state === 'ready'),
    disks: itemsOf(disks),
    /** Disks that can be attached to an instance. */
    freeDisks: itemsOf(disks).filter(({ state: { state } }) => diskCan('attach', state)),
    pools: poolsToChoose(pools),
    vpcs: itemsOf(vpcs),
    floatingIps: itemsOf(floatingIps),
    groups: itemsOf(groups),
    keys: itemsOf(keys),
    utilization: utilization.data?.type === 'success' ? utilization.data.data : undefined,
    reading: {
      siloImages: readingOf(siloImages),
      projectImages: readingOf(projectImages),
      snapshots: readingOf(snapshots),
      disks: readingOf(disks),
      pools: readingOf(pools),
      vpcs: readingOf(vpcs),
      floatingIps: readingOf(floatingIps),
      groups: readingOf(groups),
      keys: readingOf(keys),
      utilization: readingOfOutcome(utilization),
    },
  }
}

/** The state of a query that returns errors as data. A 403 is not shown as a failure. */
function readingOfOutcome({ data, refetch, ...query }: UseQueryResult<Outcome<unknown>>): Reading {
  const error = data?.type === 'error' && data.error.statusCode !== 403 ? data.error : undefined
  if (!error) return readingOf({ data, refetch, ...query })
  return { loading: false, failure: { message: error.message, retry: () => refetch() } }
}

export type Offer = ReturnType<typeof useOffer>

/** Display names of the lists. */
export const offerNames = {
  siloImages: 'Silo images',
  projectImages: 'Project images',
  snapshots: 'Snapshots',
  disks: 'Disks',
  pools: 'IP pools',
  vpcs: 'VPCs',
  floatingIps: 'Floating IPs',
  groups: 'Anti-affinity groups',
  keys: 'SSH keys',
  utilization: 'The quota',
} as const satisfies Record<keyof Offer['reading'], string>

export type Part = keyof typeof offerNames

export const isLoaded = ({ reading }: Offer, part: Part): boolean =>
  !reading[part].loading && !reading[part].failure

import type { Instance, ListedInstance, InstanceUpdate } from '@steading/api/client'
import { instanceStates } from '@steading/api/rules'
import { useParams } from '@tanstack/react-router'
import {
  ALL_ITEMS,
  apiQuery,
  operationsOf,
  queryClient,
  seed,
  usePrefetchedQuery,
} from '../../data/api.ts'
import type { ListDefinition } from '../../data/lists.ts'

export const instanceListDefinition: ListDefinition<'instanceList'> = {
  kind: 'instance',
  id: 'instances',
  operation: 'instanceList',
  filters: { state: instanceStates.filter((state) => state !== 'destroyed') },
}

/** An instance, with the further fields of lists if the control plane sends them. */
export type InstanceRow = Instance & Partial<ListedInstance>

/** The complete body of an update: unchanged properties are sent with their current values. */
export const instanceUpdate = (
  instance: Instance,
  changes: Partial<InstanceUpdate>,
): InstanceUpdate => ({
  ncpus: instance.ncpus,
  memory: instance.memory,
  bootDisk: instance.bootDiskId ?? null,
  autoRestartPolicy: instance.autoRestartPolicy ?? null,
  cpuPlatform: instance.cpuPlatform ?? null,
  enableJumboFrames: instance.enableJumboFrames,
  ...changes,
})

/** The path parameters of an instance's pages. */
export type InstanceParams = { project: string; instance: string }

const args = ({ project, instance }: InstanceParams) => ({
  path: { instance },
  query: { project },
})

/** Instances being deleted by this tab: the deletion event must not refetch them. */
const deleting = new Set<string>()
const keyOf = ({ project, instance }: InstanceParams) => `${project}/${instance}`
export const markInstanceDeleting = (params: InstanceParams): void =>
  void deleting.add(keyOf(params))
export const unmarkInstanceDeleting = (params: InstanceParams): void =>
  void deleting.delete(keyOf(params))

export const unlessDeleting = (params: InstanceParams) => ({
  enabled: () => !deleting.has(keyOf(params)),
})

export const instanceQuery = (params: InstanceParams) => ({
  ...apiQuery('instanceView', args(params)),
  ...unlessDeleting(params),
})

export const instanceDisksQuery = (params: InstanceParams) => ({
  ...apiQuery('instanceDiskList', {
    path: { instance: params.instance },
    query: { project: params.project, limit: ALL_ITEMS },
  }),
  ...unlessDeleting(params),
})

export const instanceExternalIpsQuery = (params: InstanceParams) => ({
  ...apiQuery('instanceExternalIpList', args(params)),
  ...unlessDeleting(params),
})

export const instanceExternalSubnetsQuery = (params: InstanceParams) => ({
  ...apiQuery('instanceExternalSubnetList', args(params)),
  ...unlessDeleting(params),
})

/** The network as the engine has applied it; only with the extension. */
export const instanceNetworkQuery = (params: InstanceParams) => ({
  ...apiQuery('instanceNetworkView', args(params)),
  ...unlessDeleting(params),
})

export const instanceNicsQuery = (params: InstanceParams) => ({
  ...apiQuery('instanceNetworkInterfaceList', { query: { ...params, limit: ALL_ITEMS } }),
  ...unlessDeleting(params),
})

/** All instances of a project, for pickers and names. */
export const projectInstancesQuery = (project: string) =>
  apiQuery('instanceList', { query: { project, limit: ALL_ITEMS } })

export const vpcQuery = (vpc: string) => apiQuery('vpcView', { path: { vpc } })
export const subnetQuery = (subnet: string) => apiQuery('vpcSubnetView', { path: { subnet } })

export function useInstanceParams(): InstanceParams {
  const { project, instance } = useParams({
    from: '/shell/projects-crumb/projects/$project/instances-crumb/instances/$instance',
  })
  return { project, instance }
}

/** The instance of the page. The page's header keeps it fresh. */
export const useInstance = (params: InstanceParams): Instance =>
  usePrefetchedQuery(instanceQuery(params)).data

/**
 * Puts the answer of an action into the cached list and page at once, and refetches reads it may
 * have changed.
 */
export function showInstance(project: string, instance: Instance): void {
  seed('instanceView', args({ project, instance: instance.name }), instance)
  queryClient.setQueriesData<{ items: Instance[] }>(
    { predicate: ({ queryKey }) => operationsOf(queryKey).includes('instanceList') },
    (page) =>
      page && {
        ...page,
        // Keeps properties that only the list includes.
        items: page.items.map((each) =>
          each.id === instance.id ? { ...each, ...instance } : each,
        ),
      },
  )
}

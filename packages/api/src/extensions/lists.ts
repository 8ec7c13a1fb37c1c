import { affinityOperations } from '../affinity/operations.ts'
import { groupFields } from '../affinity/schemas.ts'
import { Disk } from '../disks/schemas.ts'
import { diskOperations } from '../disks/operations.ts'
import { ExternalIp } from '../external-ips/schemas.ts'
import { floatingIpOperations } from '../floating-ips/operations.ts'
import { FloatingIp } from '../floating-ips/schemas.ts'
import { imageOperations } from '../images/operations.ts'
import { Image } from '../images/schemas.ts'
import { instanceOperations } from '../instances/operations.ts'
import { instanceFields } from '../instances/schemas.ts'
import type { Operation } from '../operation.ts'
import { paged } from '../paging.ts'
import { Project } from '../projects/schemas.ts'
import { projectOperations } from '../projects/operations.ts'
import { affinityPolicies } from '../rules/affinity.ts'
import { diskStates, diskTypes } from '../rules/disks.ts'
import { instanceStates } from '../rules/instances.ts'
import { LIST_SEARCH_MAX } from '../rules/limits.ts'
import { snapshotStates } from '../rules/snapshots.ts'
import {
  array,
  type Fields,
  NamesOrIds,
  record,
  type Schema,
  someOf,
  string,
  text,
  uint64,
} from '../schema.ts'
import { snapshotOperations } from '../snapshots/operations.ts'
import { Snapshot } from '../snapshots/schemas.ts'
import { sshKeyOperations } from '../ssh-keys/operations.ts'
import { SshKey } from '../ssh-keys/schemas.ts'

/** Looked for in names and descriptions, and in the other texts of a list. */
const SearchText = text({ maxLength: LIST_SEARCH_MAX }, (value) =>
  value.length > LIST_SEARCH_MAX
    ? `search may contain at most ${LIST_SEARCH_MAX} characters`
    : undefined,
)

interface SearchedList {
  kind: string
  item: Schema
  /** The list of the API that holds the same items. */
  plain: Pick<Operation, 'permission' | 'scan' | 'path' | 'summary'>
  /** Everything that can be sorted by; the first is what a list is sorted by unless told. */
  columns: readonly string[]
  /** Query parameters, each with the words of which it takes some. */
  filters: Record<string, readonly string[]>
  selectors?: Fields
}

/** A list with a search, filters and sorts; it says how many items there are. */
function searched({ kind, item, plain, columns, filters, selectors = {} }: SearchedList) {
  const words = Object.entries(filters).map(([name, values]) => [name, someOf(values).optional()])
  const fields = { ...selectors, search: SearchText.optional(), ...Object.fromEntries(words) }
  return {
    method: 'GET',
    path: `/x${plain.path}`,
    tags: ['extensions'],
    summary: plain.summary.replace(/^List/, 'Search, filter and sort'),
    permission: plain.permission,
    ...paged({ kind, columns }, fields, plain.scan?.required),
    success: {
      status: 200,
      schema: record(`${kind}SearchResultsPage`, {
        items: array(item),
        next_page: string.nullable().optional(),
        /** Items on all pages; null if there are more than anybody counts. */
        total: uint64.nullable(),
      }),
    },
  } as const satisfies Operation
}

const inProject = { project: diskOperations.disk_list.query.project! }

/** With what would else be asked for row by row. */
const ListedInstance = record('ListedInstance', {
  ...instanceFields,
  external_ips: array(ExternalIp),
})
const listedGroup = (kind: string) =>
  record(`Listed${kind}`, { ...groupFields, member_count: uint64 })

const groups = (kind: string, plain: SearchedList['plain']) =>
  searched({
    kind,
    item: listedGroup(kind),
    plain,
    columns: ['name', 'description', 'policy', 'time_created'],
    filters: { policy: affinityPolicies },
    selectors: inProject,
  })

export const listOperations = {
  instance_search: searched({
    kind: 'Instance',
    item: ListedInstance,
    plain: instanceOperations.instance_list,
    columns: [
      'name',
      'description',
      'state',
      'time_run_state_updated',
      'ncpus',
      'memory',
      'time_created',
      'time_last_auto_restarted',
    ],
    filters: { state: instanceStates },
    selectors: inProject,
  }),
  disk_search: searched({
    kind: 'Disk',
    item: Disk,
    plain: diskOperations.disk_list,
    columns: ['name', 'description', 'state', 'type', 'size', 'time_created'],
    filters: { state: diskStates, type: diskTypes },
    selectors: inProject,
  }),
  snapshot_search: searched({
    kind: 'Snapshot',
    item: Snapshot,
    plain: snapshotOperations.snapshot_list,
    columns: ['name', 'description', 'state', 'size', 'time_created'],
    filters: { state: snapshotStates },
    selectors: inProject,
  }),
  image_search: searched({
    kind: 'Image',
    item: Image,
    plain: imageOperations.image_list,
    columns: ['name', 'description', 'os', 'version', 'size', 'time_created'],
    filters: {},
    selectors: inProject,
  }),
  floating_ip_search: searched({
    kind: 'FloatingIp',
    item: FloatingIp,
    plain: floatingIpOperations.floating_ip_list,
    columns: ['name', 'description', 'ip', 'time_created'],
    filters: { attached: ['yes', 'no'] },
    selectors: { ...inProject, pool: NamesOrIds.optional() },
  }),
  affinity_group_search: groups('AffinityGroup', affinityOperations.affinity_group_list),
  anti_affinity_group_search: groups(
    'AntiAffinityGroup',
    affinityOperations.anti_affinity_group_list,
  ),
  project_search: searched({
    kind: 'Project',
    item: Project,
    plain: projectOperations.project_list,
    columns: ['name', 'description', 'time_created'],
    filters: {},
  }),
  current_user_ssh_key_search: searched({
    kind: 'SshKey',
    item: SshKey,
    plain: sshKeyOperations.current_user_ssh_key_list,
    columns: ['name', 'description', 'time_created'],
    filters: {},
  }),
} as const satisfies Record<string, Operation>

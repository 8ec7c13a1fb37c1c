import { Disk } from '../disks/schemas.ts'
import { diskOperations } from '../disks/operations.ts'
import { instanceOperations } from '../instances/operations.ts'
import { Instance } from '../instances/schemas.ts'
import type { Operation } from '../operation.ts'
import { paged } from '../paging.ts'
import { Project } from '../projects/schemas.ts'
import { projectOperations } from '../projects/operations.ts'
import { diskStates, diskTypes } from '../rules/disks.ts'
import { instanceStates } from '../rules/instances.ts'
import { LIST_SEARCH_MAX } from '../rules/limits.ts'
import { array, type Fields, record, type Schema, someOf, string, text, uint64 } from '../schema.ts'

/** Looked for in names and descriptions. */
const SearchText = text({ maxLength: LIST_SEARCH_MAX }, (value) =>
  value.length > LIST_SEARCH_MAX
    ? `search may contain at most ${LIST_SEARCH_MAX} characters`
    : undefined,
)

interface SearchedList {
  kind: string
  item: Schema
  /** The list of the API that holds the same items. */
  plain: Pick<Operation, 'permission' | 'scan'> & { path: string }
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
    summary: `Search, filter and sort ${kind.toLowerCase()}s`,
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

export const listOperations = {
  instance_search: searched({
    kind: 'Instance',
    item: Instance,
    plain: instanceOperations.instance_list,
    columns: [
      'name',
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
    columns: ['name', 'state', 'type', 'size', 'time_created'],
    filters: { state: diskStates, type: diskTypes },
    selectors: inProject,
  }),
  project_search: searched({
    kind: 'Project',
    item: Project,
    plain: projectOperations.project_list,
    columns: ['name', 'description', 'time_created'],
    filters: {},
  }),
} as const satisfies Record<string, Operation>

import type { Operation } from '../operation.ts'
import { paged } from '../paging.ts'
import { NameOrId } from '../schema.ts'
import { Snapshot, SnapshotResultsPage } from './schemas.ts'

const tags = ['snapshots']

export const snapshotOperations = {
  snapshot_list: {
    method: 'GET',
    path: '/v1/snapshots',
    tags,
    summary: 'List the snapshots of a project',
    permission: { project: 'list' },
    ...paged('name_or_id', { project: NameOrId.optional() }, ['project']),
    success: { status: 200, schema: SnapshotResultsPage },
  },
  snapshot_view: {
    method: 'GET',
    path: '/v1/snapshots/{snapshot}',
    tags,
    summary: 'Show a snapshot',
    permission: { snapshot: 'read' },
    params: { snapshot: NameOrId },
    query: { project: NameOrId.optional() },
    success: { status: 200, schema: Snapshot },
  },
} as const satisfies Record<string, Operation>

import { Deletion } from '../../workspace/deletion/schemas.ts'
import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { NameOrId } from '../../schema.ts'
import { Snapshot, SnapshotCreate, SnapshotDetails, SnapshotResultsPage } from './schemas.ts'
import { searched } from '../../searched.ts'
import { snapshotConsistencies, snapshotStates } from './rules.ts'

const tags = ['snapshots']

const snapshot_list = {
  method: 'GET',
  path: '/v1/snapshots',
  tags,
  summary: 'List the snapshots of a project',
  permission: { project: 'list' },
  ...paged('name_or_id', { project: NameOrId.optional() }, ['project']),
  success: { status: 200, schema: SnapshotResultsPage },
} as const satisfies Operation

export const snapshotOperations = {
  snapshot_list,
  snapshot_search: searched({
    kind: 'Snapshot',
    item: SnapshotDetails,
    plain: snapshot_list,
    columns: ['name', 'natural_name', 'description', 'state', 'size', 'time_created'],
    filters: { state: snapshotStates, consistency: snapshotConsistencies },
    selectors: { project: NameOrId.optional() },
  }),
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
  snapshot_details_view: {
    method: 'GET',
    path: '/x/v1/snapshots/{snapshot}',
    tags: ['extensions'],
    summary: 'Show a snapshot with its consistency',
    permission: { snapshot: 'read' },
    params: { snapshot: NameOrId },
    query: { project: NameOrId.optional() },
    success: { status: 200, schema: SnapshotDetails },
  },
  snapshot_create: {
    method: 'POST',
    path: '/v1/snapshots',
    tags,
    summary: 'Take a snapshot of a disk',
    permission: { project: 'create', disk: 'read' },
    query: { project: NameOrId },
    body: SnapshotCreate,
    success: { status: 201, schema: Snapshot },
  },
  snapshot_delete: {
    method: 'DELETE',
    path: '/v1/snapshots/{snapshot}',
    tags,
    summary: 'Delete a snapshot; disks and images made from it stay',
    permission: { snapshot: 'modify' },
    params: { snapshot: NameOrId },
    query: { project: NameOrId.optional() },
    success: { status: 204 },
  },
  snapshot_deletion: {
    method: 'GET',
    path: '/x/v1/snapshots/{snapshot}/deletion',
    tags: ['extensions'],
    summary: 'Preview the deletion of a snapshot',
    permission: { snapshot: 'read' },
    params: { snapshot: NameOrId },
    query: { project: NameOrId.optional() },
    success: { status: 200, schema: Deletion },
  },
} as const satisfies Record<string, Operation>

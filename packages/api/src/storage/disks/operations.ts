import { Deletion } from '../../workspace/deletion/schemas.ts'
import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { NameOrId } from '../../schema.ts'
import { Disk, DiskCreate, DiskResultsPage } from './schemas.ts'
import { searched } from '../../searched.ts'
import { diskStates, diskTypes } from './rules.ts'

const tags = ['disks']
const params = { disk: NameOrId }
const query = { project: NameOrId.optional() }

const disk_list = {
  method: 'GET',
  path: '/v1/disks',
  tags,
  summary: 'List the disks of a project',
  permission: { project: 'list' },
  ...paged('name_or_id', { project: NameOrId.optional() }, ['project']),
  success: { status: 200, schema: DiskResultsPage },
} as const satisfies Operation

export const diskOperations = {
  disk_list,
  disk_search: searched({
    kind: 'Disk',
    item: Disk,
    plain: disk_list,
    columns: ['name', 'natural_name', 'description', 'state', 'type', 'size', 'time_created'],
    filters: { state: diskStates, type: diskTypes },
    selectors: { project: NameOrId.optional() },
  }),
  disk_create: {
    method: 'POST',
    path: '/v1/disks',
    tags,
    summary: 'Create a disk',
    permission: { project: 'create', snapshot: 'read', image: 'read', silo_image: 'read' },
    query: { project: NameOrId },
    body: DiskCreate,
    transaction: 'concurrent',
    success: { status: 201, schema: Disk },
  },
  disk_view: {
    method: 'GET',
    path: '/v1/disks/{disk}',
    tags,
    summary: 'Show a disk',
    permission: { disk: 'read' },
    params,
    query,
    success: { status: 200, schema: Disk },
  },
  disk_delete: {
    method: 'DELETE',
    path: '/v1/disks/{disk}',
    tags,
    summary: 'Delete a detached or faulted disk',
    permission: { disk: 'modify' },
    params,
    query,
    transaction: 'concurrent',
    success: { status: 204 },
  },
  disk_deletion: {
    method: 'GET',
    path: '/x/v1/disks/{disk}/deletion',
    tags: ['extensions'],
    summary: 'Preview the deletion of a disk',
    permission: { disk: 'read' },
    params,
    query,
    success: { status: 200, schema: Deletion },
  },
} as const satisfies Record<string, Operation>

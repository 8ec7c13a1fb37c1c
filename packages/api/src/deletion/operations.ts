import type { Operation } from '../operation.ts'
import { NameOrId } from '../schema.ts'
import { Deletion } from './schemas.ts'

const project = { project: NameOrId.optional() }
const ofDeletion = { status: 200, schema: Deletion } as const

const tags = ['jobs']

/** What would become of other things; jobs carry it out. */
export const deletionOperations = {
  instance_deletion: {
    method: 'GET',
    path: '/x/v1/instances/{instance}/deletion',
    tags,
    summary: 'Tell what deleting an instance means for other things',
    permission: { instance: 'read' },
    params: { instance: NameOrId },
    query: project,
    success: ofDeletion,
  },
  disk_deletion: {
    method: 'GET',
    path: '/x/v1/disks/{disk}/deletion',
    tags,
    summary: 'Tell what deleting a disk means for other things',
    permission: { disk: 'read' },
    params: { disk: NameOrId },
    query: project,
    success: ofDeletion,
  },
  snapshot_deletion: {
    method: 'GET',
    path: '/x/v1/snapshots/{snapshot}/deletion',
    tags,
    summary: 'Tell what deleting a snapshot means for other things',
    permission: { snapshot: 'read' },
    params: { snapshot: NameOrId },
    query: project,
    success: ofDeletion,
  },
  image_deletion: {
    method: 'GET',
    path: '/x/v1/images/{image}/deletion',
    tags,
    summary: 'Tell what deleting an image means for other things',
    permission: { image: 'read', silo_image: 'read' },
    params: { image: NameOrId },
    query: project,
    success: ofDeletion,
  },
  project_deletion: {
    method: 'GET',
    path: '/x/v1/projects/{project}/deletion',
    tags,
    summary: 'Tell what deleting a project means for other things',
    permission: { project: 'read' },
    params: { project: NameOrId },
    success: ofDeletion,
  },
} as const satisfies Record<string, Operation>

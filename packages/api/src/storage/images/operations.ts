import { Deletion } from '../../workspace/deletion/schemas.ts'
import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { NameOrId } from '../../schema.ts'
import { Image, ImageCreate, ImageResultsPage } from './schemas.ts'
import { searched } from '../../searched.ts'

const tags = ['images']

/**
 * An image belongs to a project or to the whole silo; each has its own row of the permission
 * matrix.
 */
const seen = { image: 'read', silo_image: 'read' } as const

const image_list = {
  method: 'GET',
  path: '/v1/images',
  tags,
  summary: 'List the images of a project, or of the silo if no project is given',
  permission: { project: 'list', silo_image: 'list' },
  ...paged('name_or_id', { project: NameOrId.optional() }),
  success: { status: 200, schema: ImageResultsPage },
} as const satisfies Operation

export const imageOperations = {
  image_list,
  image_search: searched({
    kind: 'Image',
    item: Image,
    plain: image_list,
    columns: ['name', 'natural_name', 'description', 'os', 'version', 'size', 'time_created'],
    filters: {},
    selectors: { project: NameOrId.optional() },
  }),
  image_view: {
    method: 'GET',
    path: '/v1/images/{image}',
    tags,
    summary: 'Show an image',
    permission: seen,
    params: { image: NameOrId },
    query: { project: NameOrId.optional() },
    success: { status: 200, schema: Image },
  },
  image_create: {
    method: 'POST',
    path: '/v1/images',
    tags,
    summary: 'Create an image from a snapshot, for a project or the silo',
    permission: { project: 'create', silo_image: 'create', snapshot: 'read' },
    query: { project: NameOrId.optional() },
    body: ImageCreate,
    success: { status: 201, schema: Image },
  },
  image_delete: {
    method: 'DELETE',
    path: '/v1/images/{image}',
    tags,
    summary: 'Delete an image; disks made from it stay',
    permission: { image: 'modify', silo_image: 'modify' },
    params: { image: NameOrId },
    query: { project: NameOrId.optional() },
    success: { status: 204 },
  },
  image_promote: {
    method: 'POST',
    path: '/v1/images/{image}/promote',
    tags,
    summary: 'Promote an image of a project to the whole silo',
    permission: { image: 'modify', silo_image: 'create' },
    params: { image: NameOrId },
    query: { project: NameOrId.optional() },
    success: { status: 202, schema: Image },
  },
  image_demote: {
    method: 'POST',
    path: '/v1/images/{image}/demote',
    tags,
    summary: 'Demote an image of the silo to one project',
    permission: { silo_image: 'modify', image: 'read', project: 'create' },
    params: { image: NameOrId },
    query: { project: NameOrId },
    success: { status: 202, schema: Image },
  },
  image_deletion: {
    method: 'GET',
    path: '/x/v1/images/{image}/deletion',
    tags: ['extensions'],
    summary: 'Preview the deletion of an image',
    permission: seen,
    params: { image: NameOrId },
    query: { project: NameOrId.optional() },
    success: { status: 200, schema: Deletion },
  },
} as const satisfies Record<string, Operation>

import type { Operation } from '../operation.ts'
import { paged } from '../paging.ts'
import { NameOrId } from '../schema.ts'
import { Image, ImageResultsPage } from './schemas.ts'

const tags = ['images']

/** An image belongs to a project or to the whole silo; each has its own row in the matrix. */
const seen = { image: 'read', silo_image: 'read' } as const

export const imageOperations = {
  image_list: {
    method: 'GET',
    path: '/v1/images',
    tags,
    summary: 'List the images of a project, or without one those of the silo',
    permission: { project: 'list', silo_image: 'list' },
    ...paged('name_or_id', { project: NameOrId.optional() }),
    success: { status: 200, schema: ImageResultsPage },
  },
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
} as const satisfies Record<string, Operation>

import { ALL_ITEMS, apiQuery } from '../../data/api.ts'
import type { ListDefinition } from '../../data/lists.ts'

export const projectImageListDefinition: ListDefinition<'imageList'> = {
  kind: 'image',
  id: 'images',
  operation: 'imageList',
}

export const siloImageListDefinition: ListDefinition<'imageList'> = {
  kind: 'silo_image',
  id: 'silo-images',
  operation: 'imageList',
}

/** An image of a project, or of the silo if no project is given. */
export const imageQuery = (image: string, project?: string) =>
  apiQuery('imageView', { path: { image }, query: project ? { project } : {} })

/** All images of a project, then all of the silo, as sources of disks. */
export const projectImagesQuery = (project: string) =>
  apiQuery('imageList', { query: { project, limit: ALL_ITEMS } })
export const siloImagesQuery = apiQuery('imageList', { query: { limit: ALL_ITEMS } })

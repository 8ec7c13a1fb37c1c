import { ALL_ITEMS, apiQuery } from '../../data/api.ts'
import { withPlainFallback } from '../../data/capabilities.ts'
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

/** All images of a project, as sources of disks. */
export const projectImagesQuery = (project: string) =>
  apiQuery('imageList', { query: { project, limit: ALL_ITEMS } })

/** All images of the silo that a project may use, as sources of disks. */
export const siloImagesQuery = (project: string) =>
  withPlainFallback(
    'projectOffers',
    apiQuery('projectSiloImageList', { path: { project }, query: { limit: ALL_ITEMS } }),
    apiQuery('imageList', { query: { limit: ALL_ITEMS } }),
  )

/** The lists of sources above, which change together. */
export const imageLists = ['imageList', 'projectSiloImageList'] as const

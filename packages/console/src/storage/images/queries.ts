import { ALL_ITEMS, apiQuery } from '../../data/api.ts'

/** An image of a project, or without one of the silo. */
export const imageQuery = (image: string, project?: string) =>
  apiQuery('imageView', { path: { image }, query: project ? { project } : {} })

/** All images of a project, to make disks from; then all of the silo. */
export const projectImagesQuery = (project: string) =>
  apiQuery('imageList', { query: { project, limit: ALL_ITEMS } })
export const siloImagesQuery = apiQuery('imageList', { query: { limit: ALL_ITEMS } })

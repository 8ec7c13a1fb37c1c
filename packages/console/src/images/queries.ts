import { apiQuery } from '../data/api.ts'

/** An image of a project, or without one of the silo. */
export const imageQuery = (image: string, project?: string) =>
  apiQuery('imageView', { path: { image }, query: project ? { project } : {} })

import { apiQuery } from '../../data/api.ts'

/** The well-known images, with the users that they make. */
export const catalogQuery = apiQuery('imageCatalogView', {})

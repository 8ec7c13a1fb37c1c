import { apiQuery } from '../../data/api.ts'

/** All certificates of the silo: there are few, and those that end are to be seen at once. */
export const certificatesQuery = apiQuery('certificateList', { query: { limit: 1000 } })

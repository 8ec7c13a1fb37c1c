import { ALL_ITEMS, apiQuery } from '../../data/api.ts'

export const statusQuery = apiQuery('systemUpdateStatus', {})
export const targetReleaseQuery = apiQuery('targetReleaseView', {})
export const releasesQuery = apiQuery('systemUpdateRepositoryList', {
  query: { limit: ALL_ITEMS },
})
export const trustRootsQuery = apiQuery('systemUpdateTrustRootList', {
  query: { limit: ALL_ITEMS },
})
/** Only control planes with our extensions report each sled. */
export const rolloutQuery = apiQuery('updateRolloutView', {})
export const uploadsQuery = apiQuery('updateUploadList', { query: { limit: ALL_ITEMS } })

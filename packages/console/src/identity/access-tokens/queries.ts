import { apiQuery, PAGE_SIZE } from '../../data/api.ts'

/** Includes the lifetime limit of the silo's tokens. */
export const authSettingsQuery = apiQuery('authSettingsView', {})

export const accessTokensQuery = (pageToken?: string) =>
  apiQuery('currentUserAccessTokenList', { query: { limit: PAGE_SIZE, pageToken } })

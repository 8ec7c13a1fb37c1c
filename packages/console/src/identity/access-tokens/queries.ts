import { apiQuery, PAGE_SIZE } from '../../data/api.ts'

/** How long the tokens of the silo may live. */
export const authSettingsQuery = apiQuery('authSettingsView', {})

export const accessTokensQuery = (pageToken?: string) =>
  apiQuery('currentUserAccessTokenList', { query: { limit: PAGE_SIZE, pageToken } })

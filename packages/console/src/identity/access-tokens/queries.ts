import { apiQuery, PAGE_SIZE } from '../../data/api.ts'

/** Includes the lifetime limit of the silo's tokens. */
export const authSettingsQuery = apiQuery('authSettingsView', {})

/** With names, rights and last uses; an extension. */
export const tokenDetailsQuery = (pageToken?: string) =>
  apiQuery('currentUserAccessTokenDetailsList', {
    query: { limit: PAGE_SIZE, pageToken, sortBy: 'time_and_id_descending' },
  })

export const accessTokensQuery = (pageToken?: string) =>
  apiQuery('currentUserAccessTokenList', { query: { limit: PAGE_SIZE, pageToken } })

import { apiQuery, PAGE_SIZE } from '../data/api.ts'

export const accessTokensQuery = (pageToken?: string) =>
  apiQuery('currentUserAccessTokenList', { query: { limit: PAGE_SIZE, pageToken } })

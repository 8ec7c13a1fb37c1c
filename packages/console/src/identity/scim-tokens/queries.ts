import { apiQueryErrorsAllowed } from '../../data/api.ts'

/** The tokens of a silo, or that the user may not see them. */
export const scimTokensQuery = (silo: string) =>
  apiQueryErrorsAllowed('scimTokenList', { query: { silo } })

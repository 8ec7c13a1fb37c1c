import { apiQuery } from '../../data/api.ts'

export const sessionsQuery = apiQuery('currentUserSessionList', {})

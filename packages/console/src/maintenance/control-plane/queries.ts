import { apiQuery } from '../../data/api.ts'

export const systemHealthQuery = apiQuery('systemHealthView', {})

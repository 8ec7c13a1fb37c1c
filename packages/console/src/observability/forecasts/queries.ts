import { apiQuery } from '../../data/api.ts'

export const ownForecastQuery = apiQuery('utilizationForecast', {})
export const systemForecastQuery = apiQuery('systemForecast', {})
export const siloForecastQuery = (silo: string) => apiQuery('siloForecast', { path: { silo } })

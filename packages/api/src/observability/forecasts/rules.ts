/** Tracking of quota and pool usage, and forecasts of their exhaustion. */

/** Days whose peak usage is kept. */
export const USE_KEPT_DAYS = 30
/** Minimum history of a forecast in days. */
export const FORECAST_LEAST_DAYS = 7

export const forecastSubjects = ['silo', 'system_ip_pool', 'system_subnet_pool'] as const
export type ForecastSubject = (typeof forecastSubjects)[number]

/** Forecast resources: the quotas of silos, and the addresses of pools. */
export const forecastResources = ['cpus', 'memory', 'storage', 'addresses'] as const
export type ForecastResource = (typeof forecastResources)[number]

export const forecastOutlooks = ['too_little_history', 'not_growing', 'growing', 'full'] as const
export type ForecastOutlook = (typeof forecastOutlooks)[number]

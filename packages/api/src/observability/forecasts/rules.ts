/** How the use of quotas and pools is followed, to tell when they will run out. */

/** Days of which the highest use is kept. */
export const USE_KEPT_DAYS = 30
/** Days of history that a forecast needs at least. */
export const FORECAST_LEAST_DAYS = 7

export const forecastSubjects = ['silo', 'system_ip_pool', 'system_subnet_pool'] as const
export type ForecastSubject = (typeof forecastSubjects)[number]

/** What can run out: the quotas of silos, and the addresses of pools. */
export const forecastResources = ['cpus', 'memory', 'storage', 'addresses'] as const
export type ForecastResource = (typeof forecastResources)[number]

export const forecastOutlooks = ['too_little_history', 'not_growing', 'growing', 'full'] as const
export type ForecastOutlook = (typeof forecastOutlooks)[number]

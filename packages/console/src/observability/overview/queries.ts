import { apiQuery } from '../../data/api.ts'

/** Charts have a value for each minute. Changes of resources cause events. Milliseconds. */
const POLL_MS = 60_000

const live = { refetchInterval: POLL_MS }

export const projectOverviewQuery = (project: string) => ({
  ...apiQuery('projectOverview', { query: { project } }),
  ...live,
})
export const siloOverviewQuery = { ...apiQuery('siloOverview', {}), ...live }
export const fleetOverviewQuery = { ...apiQuery('fleetOverview', {}), ...live }

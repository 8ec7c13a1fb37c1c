import type { Overview } from '@steading/api/client'
import { apiQuery } from '../../data/api.ts'

/** Charts have a value for each minute. Changes of resources cause events. Milliseconds. */
const POLL_MS = 60_000

/** The same while instances run whose load has not been measured yet. */
const FIRST_LOAD_MS = 5_000

const isWaiting = ({ charts, inventory }: Overview): boolean =>
  charts?.length === 0 &&
  !!inventory?.project?.instances.some(({ state, count }) => state === 'running' && count > 0)

const live = {
  refetchInterval: ({ state: { data } }: { state: { data?: Overview } }) =>
    data && isWaiting(data) ? FIRST_LOAD_MS : POLL_MS,
}

export const projectOverviewQuery = (project: string) => ({
  ...apiQuery('projectOverview', { query: { project } }),
  ...live,
})
export const siloOverviewQuery = { ...apiQuery('siloOverview', {}), ...live }
export const fleetOverviewQuery = { ...apiQuery('fleetOverview', {}), ...live }

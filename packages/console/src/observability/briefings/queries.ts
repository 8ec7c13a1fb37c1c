import type { Briefing } from '@steading/api/client'
import { apiQuery } from '../../data/api.ts'

/** A project, an instance in it, the silo of the user, or the fleet. */
export type BriefedPlace =
  | { project: string; instance?: undefined }
  | { project: string; instance: string }
  | 'silo'
  | 'fleet'

/** Most changes cause events, but some sentences depend on the time. Milliseconds. */
const POLL_MS = 60_000

type Read = { queryKey: readonly unknown[]; queryFn: () => Promise<Briefing> }

function readOf(place: BriefedPlace): Read {
  if (place === 'silo') return apiQuery('siloBriefing', {})
  if (place === 'fleet') return apiQuery('fleetBriefing', {})
  const { project, instance } = place
  return instance === undefined
    ? apiQuery('projectBriefing', { query: { project } })
    : apiQuery('instanceBriefing', { query: { project, instance } })
}

export const briefingQuery = (place: BriefedPlace) => ({
  ...readOf(place),
  refetchInterval: POLL_MS,
})

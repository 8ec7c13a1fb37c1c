import { apiQuery } from '../data/api.ts'
import type { Place, Policy } from './policies.ts'

// Each answer stays the object that the client has made, which has the entity tag.
const asAnswered = { structuralSharing: false } as const

/** The query of a policy of any level. */
type PolicyQuery = {
  queryKey: readonly unknown[]
  queryFn: () => Promise<Policy>
  structuralSharing: false
}

function queryOf(place: Place) {
  if (place.level === 'fleet') return apiQuery('systemPolicyView', {}, asAnswered)
  if (place.level === 'project') {
    return apiQuery('projectPolicyView', { path: { project: place.project } }, asAnswered)
  }
  const { silo } = place
  return silo
    ? apiQuery('siloPolicyView', { path: { silo } }, asAnswered)
    : apiQuery('policyView', {}, asAnswered)
}
export const policyQuery = (place: Place) => queryOf(place) as unknown as PolicyQuery

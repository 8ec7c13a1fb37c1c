import { apiQuery } from '../../data/api.ts'
import type { PolicyPlace, Policy } from './policies.ts'

/** The query of a policy at any level. */
type PolicyQuery = {
  queryKey: readonly unknown[]
  queryFn: () => Promise<Policy>
}

function queryOf(place: PolicyPlace) {
  if (place.level === 'fleet') return apiQuery('systemPolicyView', {})
  if (place.level === 'project') {
    return apiQuery('projectPolicyView', { path: { project: place.project } })
  }
  const { silo } = place
  return silo ? apiQuery('siloPolicyView', { path: { silo } }) : apiQuery('policyView', {})
}
export const policyQuery = (place: PolicyPlace) => queryOf(place) as unknown as PolicyQuery

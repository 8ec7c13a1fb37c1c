import { restorableKinds } from '@steading/api/rules'
import { apiQuery } from '../../data/api.ts'
import type { ListDefinition } from '../../data/lists.ts'
import { formatNumber } from '../../ui/number.ts'

/** The deleted resources of a project that can be restored, the latest first. */
export const deletedListDefinition: ListDefinition<'deletedResourceSearch'> = {
  kind: 'deleted_resource',
  id: 'deleted-resources',
  operation: 'deletedResourceSearch',
  filters: { kind: restorableKinds },
  sort: 'time_deleted_descending',
}

/** The policy of the silo, which all of its users may read. */
export const deletionPolicyQuery = apiQuery('deletionPolicyView', {})

/**
 * A deleted resource with its parts, as they are now; fails with a 404 once it is restored or its
 * time is over.
 */
export const deletedResourceQuery = (deletedResource: string) =>
  apiQuery('deletedResourceView', { path: { deletedResource } }, { allow404: true, staleTime: 0 })

/** The time of a policy in words: `24 hours`, `1 hour`. */
export const hoursText = (hours: number): string =>
  `${formatNumber(hours)} ${hours === 1 ? 'hour' : 'hours'}`

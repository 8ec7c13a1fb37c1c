import { restorableKinds } from '@steading/api/rules'
import { apiQuery } from '../../data/api.ts'
import type { ListDefinition } from '../../data/lists.ts'
import { formatNumber } from '../../ui/number.ts'

export const deletedListDefinition: ListDefinition<'deletedResourceSearch'> = {
  kind: 'deleted_resource',
  id: 'deleted-resources',
  operation: 'deletedResourceSearch',
  searched: 'deletedResourceSearch',
  filters: { kind: restorableKinds },
  sort: 'time_deleted_descending',
}

export const deletionPolicyQuery = apiQuery('deletionPolicyView', {})

/** A deleted resource with its parts; fails with a 404 once it is restored or gone. */
export const deletedResourceQuery = (deletedResource: string) =>
  apiQuery('deletedResourceView', { path: { deletedResource } }, { allow404: true, staleTime: 0 })

/** `24 hours`, `1 hour` */
export const hoursText = (hours: number): string =>
  `${formatNumber(hours)} ${hours === 1 ? 'hour' : 'hours'}`

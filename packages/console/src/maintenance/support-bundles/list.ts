import { ageWords, supportBundleStates } from '@steading/api/rules'
import type { ListDefinition } from '../../data/lists.ts'

export const bundleListDefinition: ListDefinition<'supportBundleList'> = {
  kind: 'support_bundle',
  id: 'support-bundles',
  operation: 'supportBundleList',
  plainSorts: [],
  searched: 'supportBundleSearch',
  filters: { state: supportBundleStates, age: ageWords },
  sort: 'time_created_descending',
}

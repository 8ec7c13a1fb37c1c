import { ageWords, alertClassNames } from '@steading/api/rules'
import type { ListDefinition } from '../../data/lists.ts'

export const alertListDefinition: ListDefinition<'alertList'> = {
  kind: 'alert',
  id: 'alerts',
  operation: 'alertList',
  plainSorts: [],
  searched: 'alertSearch',
  filters: { class: alertClassNames, age: ageWords },
  sort: 'time_created_descending',
}

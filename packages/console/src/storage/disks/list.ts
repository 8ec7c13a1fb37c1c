import { diskStates, diskTypes } from '@steading/api/rules'
import type { ListDefinition } from '../../data/lists.ts'

export const diskListDefinition: ListDefinition<'diskList'> = {
  kind: 'disk',
  id: 'disks',
  operation: 'diskList',
  searched: 'diskSearch',
  filters: { state: diskStates.filter((state) => state !== 'destroyed'), type: diskTypes },
}

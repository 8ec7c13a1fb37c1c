import { switchSlots } from '@steading/api/rules'
import type { ListDefinition } from '../../data/lists.ts'

export const switchPortListDefinition: ListDefinition<'networkingSwitchPortList'> = {
  kind: 'switch_port',
  id: 'switch-ports',
  operation: 'networkingSwitchPortList',
  plainSorts: [],
  searched: 'networkingSwitchPortSearch',
  filters: { switch_slot: switchSlots, configured: ['yes', 'no'], port_settings: 'names' },
}

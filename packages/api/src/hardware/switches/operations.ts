import { Switch, SwitchDetailsList } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const switchOperations = usual('rack_switch', {
  item: Switch,
  id: 'switch',
  path: '/v1/system/hardware/switches/{switch_id}',
  tag: 'system/hardware',
})({
  switch_list: { summary: 'List switches', sort: 'id' },
  switch_details_list: {
    route: 'GET /x/v1/system/hardware/switches',
    summary: 'List all switches with their slots',
    permission: { rack_switch: 'list' },
    answer: SwitchDetailsList,
  },
  switch_view: {},
})

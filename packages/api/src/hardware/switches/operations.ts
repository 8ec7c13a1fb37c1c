import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { uuid } from '../../schema.ts'
import { Switch, SwitchDetailsList, SwitchResultsPage } from './schemas.ts'

const tags = ['system/hardware']
const path = '/v1/system/hardware/switches'

export const switchOperations = {
  switch_list: {
    method: 'GET',
    path,
    tags,
    summary: 'List switches',
    permission: { rack_switch: 'list' },
    ...paged('id'),
    success: { status: 200, schema: SwitchResultsPage },
  },
  switch_details_list: {
    method: 'GET',
    path: `/x${path}`,
    tags: ['extensions'],
    summary: 'List all switches with their slots',
    permission: { rack_switch: 'list' },
    success: { status: 200, schema: SwitchDetailsList },
  },
  switch_view: {
    method: 'GET',
    path: `${path}/{switch_id}`,
    tags,
    summary: 'Show a switch',
    permission: { rack_switch: 'read' },
    params: { switch_id: uuid },
    success: { status: 200, schema: Switch },
  },
} as const satisfies Record<string, Operation>

import type { Operation } from '../operation.ts'
import { paged } from '../paging.ts'
import { uuid } from '../schema.ts'
import { Rack, RackResultsPage } from './schemas.ts'

const tags = ['system/hardware']
const path = '/v1/system/hardware/racks'

export const rackOperations = {
  rack_list: {
    method: 'GET',
    path,
    tags,
    summary: 'List racks',
    permission: { rack: 'list' },
    ...paged('id'),
    success: { status: 200, schema: RackResultsPage },
  },
  rack_view: {
    method: 'GET',
    path: `${path}/{rack_id}`,
    tags,
    summary: 'Show a rack',
    permission: { rack: 'read' },
    params: { rack_id: uuid },
    success: { status: 200, schema: Rack },
  },
} as const satisfies Record<string, Operation>

import type { Operation } from '../../operation.ts'
import { PriceList, PriceListUpdate } from './schemas.ts'

const tags = ['extensions']
const path = '/x/v1/system/price-list'

export const priceListOperations = {
  price_list_view: {
    method: 'GET',
    path,
    tags,
    summary: 'Show the prices of use, with their past and future versions',
    permission: { fleet: 'read' },
    success: { status: 200, schema: PriceList },
  },
  price_list_update: {
    method: 'PUT',
    path,
    tags,
    summary: 'Replace the prices of use',
    permission: { fleet: 'modify' },
    audited: { kind: 'fleet' },
    body: PriceListUpdate,
    versioned: 'price_list',
    success: { status: 200, schema: PriceList },
  },
} as const satisfies Record<string, Operation>

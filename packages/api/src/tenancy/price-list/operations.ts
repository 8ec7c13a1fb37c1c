import { PriceList, PriceListUpdate } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const priceListOperations = usual('fleet', {
  item: PriceList,
  id: 'price_list',
  path: '/x/v1/system/price-list',
})({
  price_list_view: { summary: 'Show the prices of use, with their past and future versions' },
  price_list_update: {
    summary: 'Replace the prices of use',
    audited: { kind: 'fleet' },
    body: PriceListUpdate,
    versioned: 'price_list',
  },
})

import { Rows3 } from 'lucide-react'
import { TabPanel } from '../../page/page-tabs.tsx'
import { connectivityTabs } from '../external-connectivity/connectivity-page.tsx'
import { resourceList, ResourceTab } from '../../page/resource-list.tsx'
import { type LotRow, lotColumns } from './columns.tsx'
import { addressLotListDefinition } from './queries.ts'
import { useLotActions } from './lot-actions.ts'

const lots = resourceList({
  list: addressLotListDefinition,
  noun: 'address lot',
  icon: Rows3,
  path: '/system/networking/address-lots',
  item: '/system/networking/address-lots/$addressLot',
  columns: lotColumns,
  create: { calls: 'networkingAddressLotCreate' },
  empty: {
    body: 'An address lot holds addresses of the rack, for uplinks and announced networks.',
  },
})

export function AddressLotsTab() {
  const actions = useLotActions()
  return (
    <TabPanel of={connectivityTabs} tab="Address Lots">
      <ResourceTab of={lots} actions={(lot: LotRow) => actions(lot, (lot.useCount ?? 0) > 0)} />
    </TabPanel>
  )
}

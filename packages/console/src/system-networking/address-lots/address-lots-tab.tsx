import { Outlet } from '@tanstack/react-router'
import { Plus, Rows3 } from 'lucide-react'
import { useLivePolling } from '../../data/live.ts'
import { TabPanel } from '../../page/page-tabs.tsx'
import { connectivityTabs } from '../external-connectivity/connectivity-page.tsx'
import { ListTab } from '../../page/list-page.tsx'
import { useListPage } from '../../page/use-list-page.ts'
import { type ListQuickActions, useListQuickActions } from '../../page/list-quick-actions.ts'
import { pathTo } from '../../data/addresses.ts'
import { lotColumns, type LotRow } from './columns.tsx'
import { addressLotListDefinition, allLotsQuery } from './queries.ts'
import { useLotActions } from './lot-actions.ts'

const quickActions: ListQuickActions = {
  all: allLotsQuery,
  group: 'Go to address lot',
  pathOf: (addressLot: string) =>
    pathTo('/system/networking/address-lots/$addressLot', { addressLot }),
}

export function AddressLotsTab() {
  const list = useListPage(addressLotListDefinition, {}, lotColumns, {
    refetchInterval: useLivePolling(10_000),
  })
  const actions = useLotActions()
  useListQuickActions(quickActions)
  return (
    <TabPanel of={connectivityTabs} tab="Address Lots">
      <ListTab<LotRow>
        label="Address lots"
        icon={Rows3}
        noun={{ one: 'address lot', many: 'address lots' }}
        create={{
          label: 'New address lot',
          icon: Plus,
          calls: 'networkingAddressLotCreate',
          path: pathTo('/system/networking/address-lots-new'),
        }}
        list={list}
        actions={(lot) => actions(lot, (lot.useCount ?? 0) > 0)}
        empty={{
          title: 'No address lots',
          body: 'An address lot holds addresses of the rack, for uplinks and announced networks.',
          create: 'New address lot',
        }}
      />
      <Outlet />
    </TabPanel>
  )
}

import { Outlet } from '@tanstack/react-router'
import { Server } from 'lucide-react'
import { refetchShown } from '../../data/api.ts'
import { useAvailable } from '../../data/capabilities.ts'
import { DocsPopover, PageHeader, RefreshButton } from '../../ui/page-header.tsx'
import { RouteTab, RouteTabs } from '../../ui/tabs.tsx'
import { poolsNeed } from '../../storage/storage-pools/choices.ts'
import { hostsNeed } from '../hosts/queries.ts'
import { inventoryTabId, useInventoryDocs } from './tab.tsx'

/** The inventory of the racks; its tabs are routes. */
export function InventoryPage() {
  const hasPools = useAvailable(poolsNeed).length > 0
  const hasHosts = useAvailable(hostsNeed).length > 0
  return (
    <>
      <PageHeader title="Inventory" icon={<Server strokeWidth={1.5} aria-hidden />}>
        <DocsPopover {...useInventoryDocs()} />
        <RefreshButton onRefresh={refetchShown} />
      </PageHeader>
      <RouteTabs label="Inventory">
        <RouteTab id={inventoryTabId('sleds')} to="/system/inventory/sleds">
          Sleds
        </RouteTab>
        <RouteTab id={inventoryTabId('disks')} to="/system/inventory/disks">
          Disks
        </RouteTab>
        {hasHosts && (
          <RouteTab id={inventoryTabId('hosts')} to="/system/inventory/hosts">
            Hosts
          </RouteTab>
        )}
        {hasPools && (
          <RouteTab id={inventoryTabId('storage-pools')} to="/system/inventory/storage-pools">
            Storage pools
          </RouteTab>
        )}
        <RouteTab id={inventoryTabId('racks')} to="/system/inventory/racks">
          Racks and switches
        </RouteTab>
        <RouteTab id={inventoryTabId('waiting')} to="/system/inventory/waiting">
          Waiting to be added
        </RouteTab>
      </RouteTabs>
      <Outlet />
    </>
  )
}

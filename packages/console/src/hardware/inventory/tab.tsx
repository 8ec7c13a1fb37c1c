import type { ReactNode } from 'react'
import { useEnginePart } from '../../data/capabilities.ts'

export type InventoryTabId = 'sleds' | 'disks' | 'hosts' | 'storage-pools' | 'racks' | 'waiting'

export const inventoryTabId = (tab: InventoryTabId) => `inventory-tab-${tab}`

/** The panel of a tab. */
export const InventoryTab = ({ tab, children }: { tab: InventoryTabId; children: ReactNode }) => (
  <div role="tabpanel" aria-labelledby={inventoryTabId(tab)} className="flex flex-col py-2">
    {children}
  </div>
)

const REPLICATED =
  'Sleds run instances and hold the disks that store volumes. Each distributed disk has three replicas, on different sleds; replicas on a failed sled or disk are rebuilt elsewhere.'
const POOLED =
  'Sleds are hosts that run instances. The disks of instances are files in storage pools.'

export const useInventoryDocs = () => ({
  topic: 'inventory',
  summary: useEnginePart('replicas') ? REPLICATED : POOLED,
})

import type { StoragePool } from '@steading/api/client'
import { Database } from 'lucide-react'
import { InventoryTab } from '../../hardware/inventory/tab.tsx'
import type { ListColumn } from '../../page/columns.tsx'
import { resourceList, ResourceTab } from '../../page/resource-list.tsx'
import { Tag } from '../../ui/tag.tsx'
import { EmptyCell, Size, Truncate } from '../../ui/text.tsx'
import { usePoolActions } from './pool-actions.tsx'
import { PoolStateBadge, poolTypeLabel } from './pool-state.tsx'
import { poolListDefinition } from './queries.ts'

const columns: ListColumn<StoragePool>[] = [
  { id: 'name', width: 192 },
  {
    id: 'default',
    header: 'default',
    width: 96,
    phone: 'second',
    cell: ({ isDefault }) => isDefault && <Tag>default</Tag>,
  },
  { id: 'state', width: 144, cell: PoolStateBadge },
  {
    id: 'type',
    header: 'type',
    sort: 'type',
    cell: ({ type, path, source }) => <Truncate text={source ?? path ?? poolTypeLabel[type]} />,
  },
  {
    id: 'provisioned',
    header: 'provisioned',
    sort: 'provisioned',
    align: 'end',
    width: 128,
    cell: ({ provisioned }) => <Size bytes={provisioned} />,
  },
  {
    id: 'size',
    header: 'size',
    sort: 'size',
    align: 'end',
    width: 112,
    cell: ({ size }) => (size === null ? <EmptyCell /> : <Size bytes={size} />),
  },
  { id: 'created', optional: true },
]

const pools = resourceList({
  list: poolListDefinition,
  noun: 'storage pool',
  icon: Database,
  path: '/system/inventory/storage-pools',
  item: '/system/inventory/storage-pools/$pool',
  columns,
  create: { label: 'Add storage pool', calls: 'storagePoolCreate' },
  busy: ({ state }) => state === 'checking' || state === 'leaving',
  empty: { body: 'A storage pool is a place for disks' },
})

export const PoolsTab = () => (
  <InventoryTab tab="storage-pools">
    <ResourceTab of={pools} actions={usePoolActions()} />
  </InventoryTab>
)

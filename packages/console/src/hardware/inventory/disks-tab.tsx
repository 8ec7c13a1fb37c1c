import { useQuery } from '@tanstack/react-query'
import { HardDrive } from 'lucide-react'
import { useCapability } from '../../data/capabilities.ts'
import { resourceList, ResourceTab } from '../../page/resource-list.tsx'
import { Banner } from '../../ui/banner.tsx'
import { diskColumns, useDiskActions } from './disk-columns.tsx'
import { physicalDiskListDefinition, replicasQuery } from './queries.ts'
import { InventoryTab } from './tab.tsx'

const replicas = (count: number) => `${count} replica${count === 1 ? '' : 's'}`

/** Banner with the number of replicas being rebuilt or without room. */
function Repairs() {
  const { data } = useQuery({ ...replicasQuery, enabled: useCapability('hardware') })
  if (!data || (data.repairing === 0 && data.lost === 0)) return null
  return (
    <div className="px-(--gutter) pt-4">
      <Banner variant={data.lost > 0 ? 'notice' : 'info'} title="Replicas are being repaired">
        {data.repairing > 0 && `${replicas(data.repairing)} of disks are being rebuilt. `}
        {data.lost > 0 && `For ${replicas(data.lost)} there is no room on the disks in service.`}
      </Banner>
    </div>
  )
}

const disks = resourceList({
  list: physicalDiskListDefinition,
  noun: 'disk',
  icon: HardDrive,
  path: '/system/inventory/disks',
  columns: diskColumns,
  create: {
    label: 'Adopt disk',
    calls: 'physicalDiskEnableAdoption',
    path: '/system/inventory/waiting',
  },
  empty: {
    title: 'No disks found',
    body: 'Disks of the sleds are shown here',
    create: undefined,
  },
})

export const DisksTab = () => (
  <InventoryTab tab="disks">
    <Repairs />
    <ResourceTab of={disks} actions={useDiskActions()} />
  </InventoryTab>
)

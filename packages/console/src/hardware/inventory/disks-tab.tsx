import { useQuery } from '@tanstack/react-query'
import { HardDrive, Plus } from 'lucide-react'
import { useCapability } from '../../data/capabilities.ts'
import { ListTab } from '../../page/list-page.tsx'
import { useListPage } from '../../page/use-list-page.ts'
import { pathTo } from '../../data/addresses.ts'
import { Banner } from '../../ui/banner.tsx'
import { diskColumns, type DiskRow, useDiskActions } from './disk-columns.tsx'
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

export function DisksTab() {
  const list = useListPage(physicalDiskListDefinition, {}, diskColumns)
  const actions = useDiskActions()
  return (
    <InventoryTab tab="disks">
      <Repairs />
      <ListTab<DiskRow & { name: string }>
        label="Disks"
        icon={HardDrive}
        noun={{ one: 'disk', many: 'disks' }}
        list={list as never}
        actions={actions}
        create={{
          label: 'Adopt disk',
          icon: Plus,
          calls: 'physicalDiskEnableAdoption',
          path: pathTo('/system/inventory/waiting'),
        }}
        empty={{ title: 'No disks found', body: 'Disks of the sleds are shown here' }}
      />
    </InventoryTab>
  )
}

import { HardDrive } from 'lucide-react'
import { useHistoryAction } from '../../workspace/history/history-action.ts'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { usePages } from '../../page/use-pages.ts'
import { useStarAction } from '../../workspace/stars/stars.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { diskColumns, type DiskRow, useDiskActions } from '../inventory/disk-columns.tsx'
import { sledDisksQuery, useSledParam } from '../inventory/queries.ts'

/** The API's list includes neither the sled of a disk nor its usage. */
const columns = diskColumns
  .filter(({ id }) => !['sled', 'health', 'used', 'size', 'id'].includes(id))
  .map((column) => ({ ...column, sort: undefined }))

export function SledDisksTab() {
  const sledId = useSledParam()
  const { pagination, ...read } = usePages<DiskRow>((token) => sledDisksQuery(sledId, token))
  const actions = useDiskActions()
  const star = useStarAction('physical_disk')
  const history = useHistoryAction('physical_disk')
  return (
    <div role="tabpanel" aria-labelledby="sled-tab-disks" className="flex flex-col py-4">
      <LoadedTable
        label="Disks"
        what="The disks"
        read={read}
        columns={columns}
        actions={(disk) => {
          const thing = { id: disk.id, name: disk.serial }
          return [...star(thing), ...history(thing), ...actions(disk)]
        }}
        empty={{
          icon: HardDrive,
          title: 'No disks found',
          body: 'Disks of the sled are shown here',
        }}
      />
      <Pagination {...pagination} />
    </div>
  )
}

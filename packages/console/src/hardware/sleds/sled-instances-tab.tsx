import type { SledInstance } from '@steading/api/client'
import { Server } from 'lucide-react'
import { InstanceStateBadge } from '../../compute/instances/instance-cells.tsx'
import { createdColumn } from '../../page/columns.tsx'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { usePages } from '../../page/use-pages.ts'
import type { Column } from '../../ui/column.ts'
import { Pagination } from '../../ui/pagination.tsx'
import { Quantity, Size } from '../../ui/text.tsx'
import { sledInstancesQuery, useSledParam } from '../inventory/queries.ts'

const columns: Column<SledInstance>[] = [
  {
    id: 'name',
    header: 'name',
    cell: ({ siloName, projectName, name }) => (
      <span className="flex min-w-0 flex-col py-1.5">
        <span className="truncate text-xs text-secondary">
          {siloName} / {projectName}
        </span>
        <span className="truncate">{name}</span>
      </span>
    ),
  },
  {
    id: 'state',
    header: 'State',
    width: 144,
    phone: 'first',
    cell: ({ state }) => <InstanceStateBadge state={state} />,
  },
  {
    id: 'specs',
    header: 'specs',
    width: 144,
    phone: 'second',
    cell: ({ ncpus, memory }) => (
      <span className="flex flex-col">
        <span>
          <Quantity value={ncpus} unit="vCPU" />
        </span>
        <span>
          <Size bytes={memory} />
        </span>
      </span>
    ),
  },
  { ...createdColumn, sort: undefined },
]

/** Only copying the ID, which every row offers: operators cannot act on resources in silos. */
const actions = () => []

export function SledInstancesTab() {
  const sledId = useSledParam()
  const { pagination, ...read } = usePages<SledInstance>((token) =>
    sledInstancesQuery(sledId, token),
  )
  return (
    <div role="tabpanel" aria-labelledby="sled-tab-instances" className="flex flex-col py-4">
      <LoadedTable
        label="Instances"
        what="The instances"
        read={read}
        columns={columns}
        actions={actions}
        empty={{
          icon: Server,
          title: 'No instances found',
          body: 'Instances running on the sled will be shown here',
        }}
      />
      <Pagination {...pagination} />
    </div>
  )
}

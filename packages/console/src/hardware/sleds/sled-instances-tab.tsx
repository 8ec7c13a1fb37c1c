import type { SledInstance } from '@steading/api/client'
import { Cpu } from 'lucide-react'
import { InstanceStateBadge } from '../../compute/instances/instance-cells.tsx'
import { useMove } from '../../compute/moves/move-action.tsx'
import { useCurrentUser } from '../../data/session.ts'
import { createdColumn } from '../../page/columns.tsx'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { usePages } from '../../page/use-pages.ts'
import type { Column } from '../../ui/column.ts'
import { CellLink } from '../../ui/link.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { Quantity, Size, Truncate } from '../../ui/text.tsx'
import { sledInstancesQuery, useSledParam } from '../inventory/queries.ts'

/** The name of an instance, which leads to its page in the silo of the operator. */
function InstanceName({
  siloName,
  projectName,
  name,
}: Pick<SledInstance, 'siloName' | 'projectName' | 'name'>) {
  const own = useCurrentUser().siloName === siloName
  if (!own) return <Truncate text={name} />
  return (
    <CellLink
      to="/projects/$project/instances/$instance/storage"
      params={{ project: projectName, instance: name }}
    >
      {name}
    </CellLink>
  )
}

/** An instance of any silo, with its silo and project above its name. */
export const PlacedInstance = (
  instance: Pick<SledInstance, 'siloName' | 'projectName' | 'name'>,
) => (
  <span className="flex min-w-0 flex-col py-1.5">
    <span className="truncate text-xs text-secondary">
      {instance.siloName} / {instance.projectName}
    </span>
    <InstanceName {...instance} />
  </span>
)

const columns: Column<SledInstance>[] = [
  { id: 'name', header: 'name', cell: PlacedInstance },
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

export function SledInstancesTab() {
  const sledId = useSledParam()
  const { actionOf, dialog } = useMove()
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
        // Operators cannot do anything else with resources of other silos.
        actions={({ id, name, state }) => actionOf({ id, name, state, sledId })}
        empty={{
          icon: Cpu,
          title: 'No instances found',
          body: 'Instances running on the sled will be shown here',
        }}
      />
      <Pagination {...pagination} />
      {dialog}
    </div>
  )
}

import type { ExternalSubnet } from '@steading/api/client'
import { seed } from '../../data/api.ts'
import { InstanceLink } from '../../compute/instances/instance-link.tsx'
import type { ListColumn } from '../../page/columns.tsx'
import { subnetPoolQuery } from '../pools/own-pools.ts'
import { useQuery } from '@tanstack/react-query'
import { SkeletonCell } from '../../ui/table.tsx'
import { EmptyCell } from '../../ui/text.tsx'
import { tooltip } from '../../ui/tooltip.tsx'
import type { Column } from '../../ui/column.ts'
import { AddressCell } from '../../ui/cells.tsx'
import { CellLink } from '../../ui/link.tsx'

/** The name of a pool of the user's silo, with its description as a tooltip. */
export function SubnetPoolName({ id }: { id: string }) {
  const { data: pool, isPending } = useQuery(subnetPoolQuery(id))
  if (!pool) return isPending ? <SkeletonCell width="w-16" /> : <EmptyCell />
  return <span {...tooltip(pool.description || undefined)}>{pool.name}</span>
}

/** Seeds the edit panel with the row, so that it opens at once. */
export const showAtOnce = (project: string, externalSubnet: ExternalSubnet): void =>
  seed(
    'externalSubnetView',
    { path: { externalSubnet: externalSubnet.name }, query: { project } },
    externalSubnet,
  )

/** The network of an external subnet, with a button to copy it. */
export const subnetColumn: Column<ExternalSubnet> = {
  id: 'subnet',
  header: 'Subnet',
  sort: 'subnet',
  width: 208,
  phone: 'second',
  cell: ({ subnet }) => <AddressCell address={subnet} />,
}

export const externalSubnetColumns = ({
  project,
}: {
  project: string
}): ListColumn<ExternalSubnet>[] => [
  {
    id: 'name',
    header: 'name',
    sort: 'name',
    cell: (externalSubnet) => (
      <CellLink
        to="/projects/$project/external-subnets/$externalSubnet/edit"
        params={{ project, externalSubnet: externalSubnet.name }}
        onClick={() => showAtOnce(project, externalSubnet)}
        // Nothing to preload, and the name may have changed when focus returns to the link.
        preload={false}
      >
        {externalSubnet.name}
      </CellLink>
    ),
  },
  'description',
  subnetColumn,
  {
    id: 'subnet-pool',
    header: 'Subnet pool',
    width: 152,
    spare: 2,
    cell: ({ subnetPoolId }) => <SubnetPoolName id={subnetPoolId} />,
  },
  {
    id: 'instance',
    header: 'Instance',
    phone: 'second',
    labelled: true,
    cell: ({ instanceId }) => instanceId && <InstanceLink project={project} id={instanceId} />,
  },
  { id: 'created', optional: true },
]

import type { FloatingIp } from '@steading/api/client'
import { seed } from '../../data/api.ts'
import { InstanceLink } from '../../compute/instances/instance-link.tsx'
import { PoolCell } from '../pools/pool-cell.tsx'
import type { ListColumn } from '../../page/columns.tsx'
import { AddressCell } from '../../ui/cells.tsx'
import { CellLink } from '../../ui/link.tsx'

/** Seeds the edit panel with the row, so that it opens at once. */
export const showAtOnce = (project: string, floatingIp: FloatingIp): void =>
  seed('floatingIpView', { path: { floatingIp: floatingIp.name }, query: { project } }, floatingIp)

export const floatingIpColumns = ({ project }: { project: string }): ListColumn<FloatingIp>[] => [
  {
    id: 'name',
    header: 'name',
    sort: 'name',
    cell: (floatingIp) => (
      <CellLink
        to="/projects/$project/floating-ips/$floatingIp/edit"
        params={{ project, floatingIp: floatingIp.name }}
        onClick={() => showAtOnce(project, floatingIp)}
        // Nothing to preload, and the name may have changed when focus returns to the link.
        preload={false}
      >
        {floatingIp.name}
      </CellLink>
    ),
  },
  'description',
  {
    id: 'ip-address',
    header: 'IP address',
    sort: 'ip',
    width: 208,
    phone: 'second',
    cell: ({ ip }) => <AddressCell address={ip} />,
  },
  {
    id: 'ip-pool',
    header: 'IP pool',
    width: 152,
    spare: 2,
    cell: ({ ipPoolId }) => <PoolCell id={ipPoolId} />,
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

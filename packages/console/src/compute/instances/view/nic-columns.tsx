import type { InstanceNetworkInterface } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { subnetQuery, vpcQuery } from '../queries.ts'
import { VersionTag } from '../../../networking/pools/pool-option.tsx'
import {
  stacksOf,
  transitIpsOf,
  type Stack,
} from '../../../networking/network-interfaces/stacks.ts'
import { descriptionColumn } from '../../../page/columns.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { vpcHome } from '../../../networking/vpcs/queries.ts'
import { ListPlusCell } from '../../../ui/cells.tsx'
import type { Column } from '../../../ui/column.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { CellLink } from '../../../ui/link.tsx'
import { SkeletonCell } from '../../../ui/table.tsx'
import { Mono, Truncate } from '../../../ui/text.tsx'

type Nic = InstanceNetworkInterface

export const nicColumns = (project: string): Column<Nic>[] => [
  {
    id: 'name',
    header: 'name',
    cell: ({ name, primary }) => (
      <span className="flex min-w-0 items-center gap-2">
        <Truncate text={name} className="font-medium" />
        {primary && <Tag>primary</Tag>}
      </span>
    ),
  },
  descriptionColumn,
  {
    id: 'private-ip',
    header: 'Private IP',
    width: 248,
    phone: 'second',
    cell: (nic) => <PrivateIps stacks={stacksOf(nic)} />,
  },
  {
    id: 'vpc',
    header: 'vpc',
    width: 144,
    cell: ({ vpcId }) => <VpcLink project={project} id={vpcId} />,
  },
  {
    id: 'subnet',
    header: 'subnet',
    width: 144,
    cell: ({ vpcId, subnetId }) => <SubnetLink project={project} vpcId={vpcId} id={subnetId} />,
  },
  {
    id: 'transit-ips',
    header: 'Transit IPs',
    width: 152,
    cell: (nic) => (
      <ListPlusCell
        title="Other transit IPs"
        items={transitIpsOf(nic).map((ip) => ({ text: ip, content: <Mono>{ip}</Mono> }))}
      />
    ),
  },
]

const PrivateIps = ({ stacks }: { stacks: Stack[] }) => (
  <span className="flex flex-col gap-0.5 py-1.5">
    {stacks.map(({ version, ip }) => (
      <span key={version} className="flex items-center gap-2">
        <VersionTag version={version} />
        <span className="flex items-center gap-0.5">
          <Mono>{ip}</Mono>
          <CopyButton text={ip} />
        </span>
      </span>
    ))}
  </span>
)

function VpcLink({ project, id }: { project: string; id: string }) {
  const { data } = useQuery(vpcQuery(id))
  if (!data) return <SkeletonCell />
  return (
    <CellLink to={vpcHome} params={{ project, vpc: data.name }}>
      {data.name}
    </CellLink>
  )
}

function SubnetLink({ project, vpcId, id }: { project: string; vpcId: string; id: string }) {
  const vpc = useQuery(vpcQuery(vpcId)).data?.name
  const subnet = useQuery(subnetQuery(id)).data?.name
  if (!vpc || !subnet) return <SkeletonCell />
  return (
    <CellLink
      to="/projects/$project/vpcs/$vpc/subnets/$subnet/edit"
      params={{ project, vpc, subnet }}
    >
      {subnet}
    </CellLink>
  )
}

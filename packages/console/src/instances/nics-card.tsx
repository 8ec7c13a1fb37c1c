import type { InstanceNetworkInterface } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { usePrefetchedQuery } from '../data/api.ts'
import { Badge } from '../ui/badge.tsx'
import { Card, CardEmpty } from '../ui/card.tsx'
import { ListPlusCell } from '../ui/cells.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { SkeletonCell, Table, type Column } from '../ui/table.tsx'
import { Description, Mono, Truncate } from '../ui/text.tsx'
import { instanceNicsQuery, subnetQuery, useInstanceParams, vpcQuery } from './queries.ts'
import { VersionBadge } from './version-badge.tsx'

type Nic = InstanceNetworkInterface
type Stack = { version: 'v4' | 'v6'; ip: string; transitIps: string[] }

/** The address of each IP version an interface has. */
function stacksOf({ ipStack }: Nic): Stack[] {
  if (ipStack.type !== 'dual_stack') return [{ version: ipStack.type, ...ipStack.value }]
  const { v4, v6 } = ipStack.value
  return [
    { version: 'v4', ...v4 },
    { version: 'v6', ...v6 },
  ]
}

const columns: Column<Nic>[] = [
  {
    header: 'name',
    cell: ({ name, primary }) => (
      <span className="flex min-w-0 items-center gap-2">
        <Truncate text={name} className="max-w-72 font-medium max-sm:max-w-28" />
        {primary && (
          <Badge color="accent" icon={false}>
            primary
          </Badge>
        )}
      </span>
    ),
  },
  { header: 'description', cell: ({ description }) => <Description text={description} /> },
  { header: 'Private IP', cell: (nic) => <PrivateIps stacks={stacksOf(nic)} /> },
  { header: 'vpc', cell: ({ vpcId }) => <VpcName id={vpcId} /> },
  { header: 'subnet', cell: ({ subnetId }) => <SubnetName id={subnetId} /> },
  {
    header: 'Transit IPs',
    cell: (nic) => (
      <ListPlusCell
        title="Other transit IPs"
        items={stacksOf(nic)
          .flatMap(({ transitIps }) => transitIps)
          .map((ip) => ({ text: ip, content: <Mono>{ip}</Mono> }))}
      />
    ),
  },
]

const PrivateIps = ({ stacks }: { stacks: Stack[] }) => (
  <span className="flex flex-col py-1.5">
    {stacks.map(({ version, ip }) => (
      <span key={version} className="flex items-center gap-2">
        <VersionBadge version={version} />
        <span className="flex items-center gap-0.5">
          <Mono>{ip}</Mono>
          <CopyButton text={ip} />
        </span>
      </span>
    ))}
  </span>
)

function VpcName({ id }: { id: string }) {
  const { data } = useQuery({ ...vpcQuery(id), throwOnError: false })
  return data ? <Truncate text={data.name} className="max-w-60" /> : <SkeletonCell />
}

function SubnetName({ id }: { id: string }) {
  const { data } = useQuery({ ...subnetQuery(id), throwOnError: false })
  return data ? <Truncate text={data.name} className="max-w-60" /> : <SkeletonCell />
}

export function NicsCard() {
  const nics = usePrefetchedQuery(instanceNicsQuery(useInstanceParams())).data.items
  return (
    <Card title="Network interfaces">
      <Table
        label="Network interfaces"
        columns={columns}
        rows={nics}
        actions={() => []}
        empty={
          <CardEmpty
            title="No network interfaces"
            body="Create a network interface to see it here"
          />
        }
      />
    </Card>
  )
}

import type { ExternalIp } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { ListPlusCell } from '../ui/cells.tsx'
import { SkeletonCell } from '../ui/table.tsx'
import { reachableIps } from './external-ips.ts'
import { IpLink } from './ip-link.tsx'
import type { InstanceRow } from './list.ts'
import { instanceExternalIpsQuery, type InstanceParams } from './queries.ts'

type ExternalIpsCellProps = { project: string; instance: InstanceRow }

export function ExternalIpsCell({ project, instance }: ExternalIpsCellProps) {
  const { name, externalIps } = instance
  return (
    <span className="flex min-w-0 items-center">
      {externalIps ? (
        <Addresses ips={externalIps} />
      ) : (
        <AskedAddresses project={project} instance={name} />
      )}
    </span>
  )
}

/** Reads the addresses, where the list does not contain them. */
function AskedAddresses(params: InstanceParams) {
  const { data, isPending } = useQuery(instanceExternalIpsQuery(params))
  return isPending ? <SkeletonCell width="w-28" /> : <Addresses ips={data?.items ?? []} />
}

const Addresses = ({ ips }: { ips: ExternalIp[] }) => (
  <ListPlusCell
    title="Other external IPs"
    items={reachableIps(ips).map(({ ip }) => ({
      text: ip,
      content: <IpLink ip={ip} className="max-w-36" />,
    }))}
  />
)

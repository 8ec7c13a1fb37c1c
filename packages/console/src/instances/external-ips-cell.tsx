import { useQuery } from '@tanstack/react-query'
import { ListPlusCell } from '../ui/cells.tsx'
import { SkeletonCell } from '../ui/table.tsx'
import { reachableIps } from './external-ips.ts'
import { IpLink } from './ip-link.tsx'
import { instanceExternalIpsQuery, type InstanceParams } from './queries.ts'

/** As wide as an IPv4 address with its buttons, so that nothing moves when it arrives. */
export function ExternalIpsCell(params: InstanceParams) {
  const { data, isPending } = useQuery({
    ...instanceExternalIpsQuery(params),
    throwOnError: false,
  })
  const ips = reachableIps(data?.items ?? [])
  return (
    <span className="flex min-w-44 items-center">
      {isPending ? (
        <SkeletonCell width="w-28" />
      ) : (
        <ListPlusCell
          title="Other external IPs"
          items={ips.map(({ ip }) => ({
            text: ip,
            content: <IpLink ip={ip} className="max-w-36" />,
          }))}
        />
      )}
    </span>
  )
}

import type { ExternalIp } from '@steading/api/client'
import { LazyCell } from '../../page/lazy-cell.tsx'
import { ListPlusCell } from '../../ui/cells.tsx'
import { reachableIps, IpLink } from './external-ips.tsx'
import { type InstanceRow, instanceExternalIpsQuery } from './queries.ts'

type ExternalIpsCellProps = { project: string; instance: InstanceRow }

export function ExternalIpsCell({ project, instance }: ExternalIpsCellProps) {
  const { name, externalIps } = instance
  if (externalIps) return <Addresses ips={externalIps} />
  return (
    <LazyCell
      what={`the external IPs of ${name}`}
      query={instanceExternalIpsQuery({ project, instance: name })}
    >
      {({ items }) => <Addresses ips={items} />}
    </LazyCell>
  )
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

import type { Instance } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { reachableIps } from '../external-ips.ts'
import { InstanceStateBadge } from '../instance-state-badge.tsx'
import { IpLink } from '../ip-link.tsx'
import { instanceExternalIpsQuery, useInstanceParams } from '../queries.ts'
import { VCpus } from '../vcpus.tsx'
import { Size } from '../../../ui/text.tsx'

/** State, address and size of an instance, for phones, where its properties are folded away. */
export function InstanceSummary({ instance }: { instance: Instance }) {
  const ips = useQuery(instanceExternalIpsQuery(useInstanceParams())).data?.items ?? []
  const [ip] = reachableIps(ips)
  return (
    <>
      <InstanceStateBadge state={instance.runState} />
      {ip && <IpLink ip={ip.ip} />}
      <span className="text-secondary">
        <VCpus count={instance.ncpus} />
        <span className="mx-0.5 text-tertiary"> · </span>
        <Size bytes={instance.memory} />
      </span>
    </>
  )
}

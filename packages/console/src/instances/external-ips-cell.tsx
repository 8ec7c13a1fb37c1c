import type { ExternalIp } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { fewAtOnce } from '../data/few-at-once.ts'
import { ListPlusCell } from '../ui/cells.tsx'
import { SkeletonCell } from '../ui/table.tsx'
import { useOnScreen } from '../ui/use-on-screen.ts'
import { reachableIps } from './external-ips.ts'
import { IpLink } from './ip-link.tsx'
import type { InstanceRow } from './list.ts'
import { instanceExternalIpsQuery, type InstanceParams } from './queries.ts'

type ExternalIpsCellProps = { project: string; instance: InstanceRow }

export function ExternalIpsCell({ project, instance }: ExternalIpsCellProps) {
  const { name, externalIps } = instance
  if (externalIps) return <Addresses ips={externalIps} />
  return <AskedAddresses project={project} instance={name} />
}

/** Calls for addresses that are under way at once. */
const ask = fewAtOnce(4)

/**
 * Where the list does not contain the addresses, those of the rows on the screen are read, a few at a
 * time.
 */
function AskedAddresses(params: InstanceParams) {
  const place = useRef<HTMLSpanElement>(null)
  const onScreen = useOnScreen(place)
  const query = instanceExternalIpsQuery(params)
  const { data, isError, refetch } = useQuery({
    ...query,
    queryFn: () => ask(query.queryFn),
    enabled: () => onScreen && query.enabled(),
  })
  return (
    <span ref={place}>
      {data ? (
        <Addresses ips={data.items} />
      ) : isError ? (
        <button
          type="button"
          aria-label={`Try again to read the external IPs of ${params.instance}`}
          className="focus-inset -mx-1.5 min-h-6 rounded-control px-1.5 text-secondary underline-offset-2 hover:text-primary hover:underline"
          onClick={() => void refetch()}
        >
          Try again
        </button>
      ) : (
        <SkeletonCell width="w-28" />
      )}
    </span>
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

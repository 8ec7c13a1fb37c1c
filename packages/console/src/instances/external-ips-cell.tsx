import type { ExternalIp } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { queryClient } from '../data/api.ts'
import { ListPlusCell } from '../ui/cells.tsx'
import { SkeletonCell } from '../ui/table.tsx'
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

/**
 * Where the list does not contain the addresses, they are read when the user wants to see them: a
 * call for each row would be fifty for a page.
 */
function AskedAddresses(params: InstanceParams) {
  const query = instanceExternalIpsQuery(params)
  const [pressed, setPressed] = useState(false)
  const [seen] = useState(() => queryClient.getQueryData(query.queryKey) !== undefined)
  const shown = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    if (pressed) shown.current?.focus()
  }, [pressed])
  const { data, isFetching, isError, refetch } = useQuery({
    ...query,
    enabled: () => (seen || pressed) && query.enabled(),
  })
  if (!data && !isFetching) {
    return (
      <button
        type="button"
        aria-label={`Show external IPs of ${params.instance}`}
        className="focus-inset -mx-1.5 min-h-6 rounded-control px-1.5 text-secondary underline-offset-2 hover:text-primary hover:underline"
        onClick={() => (isError ? void refetch() : setPressed(true))}
      >
        {isError ? 'Try again' : 'Show'}
      </button>
    )
  }
  return (
    // The button is gone, and with it the place of the focus.
    <span ref={shown} tabIndex={-1} className="outline-none">
      {data ? <Addresses ips={data.items} /> : <SkeletonCell width="w-28" />}
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

import type { NetworkView, Reachability } from '@steading/api/client'
import { useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useLivePolling } from '../../data/live.ts'
import { LoadError } from '../../page/load-error.tsx'
import { QueryError } from '../../page/query-error.tsx'
import { CardEmpty } from '../../ui/card.tsx'
import { EmptyFrame } from './empty-frame.tsx'
import { graphOf } from './graph.ts'
import { NetworkMap } from './network-map.tsx'
import { pageOf } from './pages.ts'
import { tagCounts, TagLegend } from './tag-legend.tsx'
import { stationsOf, stopsOf } from './packet-path.ts'

type Props = {
  project: string
  query: Pick<UseQueryOptions<NetworkView>, 'queryFn'> & { queryKey: readonly unknown[] }
  /** The answer whose path is shown. */
  answer: Reachability | undefined
}

const instanceCount = (count: number): string => `${count} instance${count === 1 ? '' : 's'}`

/** The map of a network, or its empty and error states. */
export default function TopologyPart({ project, query, answer }: Props) {
  const polled = useLivePolling(10_000)
  const { data, error, refetch } = useQuery({ ...query, refetchInterval: polled })
  const graph = useMemo(() => data && graphOf(data), [data])
  const way = useMemo(() => stopsOf(answer?.there ?? []), [answer])
  const [coloured, setColoured] = useState<{ tagKey?: string; tag?: string }>({})
  const counts = useMemo(() => tagCounts(Object.values(data?.tags ?? {})), [data])
  const pinned = useMemo(() => new Set(stationsOf(answer?.there ?? [])), [answer])
  if (!graph) {
    if (error) return <LoadError what="The network" error={error} onRetry={refetch} />
    return <EmptyFrame />
  }
  if (graph.vpcs.length === 0) {
    return <CardEmpty title="No VPCs" body="Create a VPC to see its subnets and instances here" />
  }
  const { moreInstances } = data!
  return (
    <div className="flex min-w-0 flex-1 flex-col">
      <QueryError error={error} onRetry={refetch} />
      {(graph.apart.length > 0 || moreInstances > 0) && (
        <p className="px-(--gutter) pb-3 text-secondary">
          {graph.apart.length > 0 &&
            `${instanceCount(graph.apart.length)} without a network interface. `}
          {moreInstances > 0 && `${instanceCount(moreInstances)} not shown.`}
        </p>
      )}
      <TagLegend
        counts={counts}
        tagKey={coloured.tagKey}
        tag={coloured.tag}
        onChoose={(tagKey, tag) => setColoured({ tagKey, tag })}
      />
      <NetworkMap
        graph={graph}
        tagKey={coloured.tagKey}
        tag={coloured.tag}
        label="Network"
        hrefOf={(item) => pageOf(project, item)}
        pinned={pinned}
        way={way}
      />
    </div>
  )
}

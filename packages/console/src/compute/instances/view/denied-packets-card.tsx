/** Why nothing arrives: the last denied packets of an instance. */
import type { DeniedPacket, ExternalIp } from '@steading/api/client'
import { ipVersion, isPublicAddress, packetSentence } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { apiQuery } from '../../../data/api.ts'
import { useCapability } from '../../../data/capabilities.ts'
import { POLL_MS } from '../../../data/live.ts'
import { instanceEnd } from '../../../networking/reachability/ends.ts'
import type { QuestionSearch } from '../../../networking/reachability/search.ts'
import { useReachabilityTest } from '../../../networking/reachability/test-action.ts'
import { LoadError } from '../../../page/load-error.tsx'
import { QueryError } from '../../../page/query-error.tsx'
import { Card, CardBody, CardEmpty } from '../../../ui/card.tsx'
import type { Column } from '../../../ui/column.ts'
import { CellLink } from '../../../ui/link.tsx'
import { formatNumber } from '../../../ui/number.ts'
import { Table } from '../../../ui/table.tsx'
import { Truncate } from '../../../ui/text.tsx'
import { TimeAgo } from '../../../ui/time.tsx'
import { instanceExternalIpsQuery, type InstanceParams, useInstanceParams } from '../queries.ts'

type Row = DeniedPacket & { key: string }

/** @param vpc of the primary interface */
const columnsOf = (project: string, vpc: string | undefined): Column<Row>[] => [
  {
    id: 'packet',
    header: 'packet',
    cell: (packet) => (
      <span className="block py-1 wrap-anywhere whitespace-normal first-letter:uppercase">
        {packetSentence(packet)}
      </span>
    ),
  },
  {
    id: 'reason',
    header: 'denied by',
    width: 208,
    phone: 'second',
    cell: ({ rule, byDefault }) =>
      rule && vpc ? (
        <CellLink
          to="/projects/$project/vpcs/$vpc/firewall-rules/$rule/edit"
          params={{ project, vpc, rule }}
        >
          {rule}
        </CellLink>
      ) : (
        <Truncate text={rule ?? (byDefault ? 'No rule allows it' : 'A rule that is gone')} />
      ),
  },
  {
    id: 'packets',
    header: 'times',
    width: 80,
    align: 'end',
    phone: 'second',
    labelled: true,
    cell: ({ packets }) => formatNumber(packets),
  },
  {
    id: 'last',
    header: 'last',
    width: 104,
    phone: 'first',
    cell: ({ timeLast }) => <TimeAgo date={timeLast} caption="Last packet" ago />,
  },
]

/** From outside, an instance is reached at its external addresses. */
function questionOf(
  { direction, protocol, source, destination, port, icmpType }: DeniedPacket,
  instance: string,
  externalIps: readonly ExternalIp[],
): QuestionSearch {
  const isInbound = direction === 'inbound'
  const external =
    isInbound &&
    isPublicAddress(source) &&
    externalIps.find(({ kind, ip }) => kind !== 'snat' && ipVersion(ip) === ipVersion(source))
  const isIcmp = protocol === 'icmp' || protocol === 'icmp6'
  return {
    from: isInbound ? source : instanceEnd(instance),
    to: external ? external.ip : isInbound ? instanceEnd(instance) : destination,
    protocol: isIcmp ? 'icmp' : protocol === 'udp' ? 'udp' : 'tcp',
    ...(port !== null && { port }),
    ...(isIcmp && icmpType !== null && { type: icmpType }),
    version: ipVersion(source),
  }
}

export const deniedPacketsQuery = ({ project, instance }: InstanceParams) =>
  apiQuery('instanceDeniedPacketsView', { path: { instance }, query: { project } })

/** @param vpc of the primary interface, whose rules decide */
export function DeniedPacketsCard({ vpc }: { vpc: string | undefined }) {
  const params = useInstanceParams()
  const { project, instance } = params
  const recorded = useCapability('deniedPackets')
  const { data, error, refetch } = useQuery({
    ...deniedPacketsQuery(params),
    refetchInterval: POLL_MS,
    enabled: recorded,
  })
  const externalIps = useQuery(instanceExternalIpsQuery(params)).data?.items
  const columns = useMemo(() => columnsOf(project, vpc), [project, vpc])
  const test = useReachabilityTest(project)
  if (!recorded) return null
  const rows = data?.packets.map((packet, index) => ({ ...packet, key: String(index) }))
  return (
    <Card
      title="Denied packets"
      description="The last packets from and to this instance that firewall rules denied. Of many in a short time, only some are shown."
    >
      {error && data && (
        <CardBody>
          <QueryError error={error} onRetry={refetch} />
        </CardBody>
      )}
      {error && !data ? (
        <LoadError what="The denied packets" error={error} onRetry={refetch} />
      ) : (
        <Table
          label="Denied packets"
          columns={columns}
          rows={rows}
          rowKey={({ key }) => key}
          skeletonRows={1}
          actions={(packet) =>
            packet.protocol === 'other' ? [] : test(questionOf(packet, instance, externalIps ?? []))
          }
          empty={
            <CardEmpty
              title="No denied packets"
              body="Packets that firewall rules deny are shown here, with the rule"
            />
          }
        />
      )}
    </Card>
  )
}

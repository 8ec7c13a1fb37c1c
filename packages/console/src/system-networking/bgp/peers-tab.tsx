import type { BgpExported, BgpImported, BgpPeerStatus } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ArrowDownToLine, ArrowUpFromLine, MessagesSquare, Router } from 'lucide-react'
import { usePrefetchedQuery } from '../../data/api.ts'
import { TabPanel } from '../../page/page-tabs.tsx'
import { connectivityTabs } from '../external-connectivity/connectivity-page.tsx'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { Card } from '../../ui/card.tsx'
import type { Column } from '../../ui/column.ts'
import { Listbox } from '../../ui/form/listbox-field.tsx'
import { Mono } from '../../ui/text.tsx'
import { formatDistance } from '../../ui/time.tsx'
import { type HistoryRow, historyRows } from './history-rows.ts'
import { PeerStateBadge } from '../external-connectivity/state-badges.tsx'
import {
  allConfigsQuery,
  exportedQuery,
  historyQuery,
  importedQuery,
  peersQuery,
} from './queries.ts'
import { formatExact } from '../../ui/exact-time.ts'
import { samePage } from '../../data/addresses.ts'

/** Polled because no event announces changes of sessions. */
const POLL_MS = 5_000

const slotColumn = {
  id: 'switch',
  header: 'Switch',
  width: 112,
  phone: 'second',
  labelled: true,
  cell: (row: { switch: string }) => row.switch,
} as const

const peerColumns: Column<BgpPeerStatus & { id: string }>[] = [
  { id: 'peer', header: 'Peer', cell: ({ addr }) => <Mono>{addr}</Mono> },
  {
    id: 'state',
    header: 'State',
    width: 176,
    phone: 'first',
    cell: ({ state }) => <PeerStateBadge state={state} />,
  },
  {
    id: 'since',
    header: 'For',
    width: 112,
    cell: ({ stateDurationMillis }) =>
      formatDistance(new Date(Date.now() - stateDurationMillis)).replace(' ago', ''),
  },
  {
    id: 'remote',
    header: 'Remote ASN',
    width: 128,
    cell: ({ remoteAsn }) => <Mono>{remoteAsn}</Mono>,
  },
  { id: 'local', header: 'Local ASN', width: 128, cell: ({ localAsn }) => <Mono>{localAsn}</Mono> },
  slotColumn,
]

const importedColumns: Column<BgpImported & { key: string }>[] = [
  { id: 'prefix', header: 'Network', cell: ({ prefix }) => <Mono>{prefix}</Mono> },
  {
    id: 'nexthop',
    header: 'Next hop',
    phone: 'second',
    labelled: true,
    cell: ({ nexthop }) => <Mono>{nexthop}</Mono>,
  },
  slotColumn,
]

const exportedColumns: Column<BgpExported & { id: string }>[] = [
  { id: 'prefix', header: 'Network', cell: ({ prefix }) => <Mono>{prefix}</Mono> },
  {
    id: 'peer',
    header: 'Peer',
    phone: 'second',
    labelled: true,
    cell: ({ peerId }) => <Mono>{peerId}</Mono>,
  },
  slotColumn,
]

const historyColumns: Column<HistoryRow>[] = [
  // With seconds, as messages are only seconds apart.
  { id: 'time', header: 'Time', width: 208, cell: ({ time }) => time && formatExact(time) },
  { id: 'direction', header: 'Direction', width: 112, cell: ({ direction }) => direction },
  { id: 'message', header: 'Message', width: 144, phone: 'first', cell: ({ message }) => message },
  { id: 'details', header: 'Says', phone: 'second', cell: ({ details }) => details },
  {
    id: 'peer',
    header: 'Peer',
    width: 176,
    phone: 'second',
    labelled: true,
    cell: ({ peer }) => <Mono>{peer}</Mono>,
  },
]

/** The peers of all switches, and the routes and messages of one autonomous system. */
export function PeersTab() {
  const navigate = useNavigate()
  const { data: peers } = usePrefetchedQuery(peersQuery)
  const status = useQuery({ ...peersQuery, refetchInterval: POLL_MS })
  const configs = useQuery(allConfigsQuery)
  const { asn: chosen } = useSearch({
    from: '/shell/system/external-connectivity/system/networking/bgp-peers',
  })
  const asns = [
    ...new Set([
      ...peers.map(({ localAsn }) => localAsn),
      ...(configs.data?.items ?? []).map(({ asn }) => asn),
    ]),
  ]
  const asn = chosen ?? asns[0]
  return (
    <TabPanel of={connectivityTabs} tab="BGP Peers">
      <div className="flex flex-col gap-6 pb-6">
        <Card title="Peers" description="Routers that have sessions with the switches">
          <LoadedTable
            what="The peers"
            label="Peers"
            columns={peerColumns}
            read={{
              rows: peers.map((peer) => ({ ...peer, id: `${peer.switch} ${peer.peerId}` })),
              error: status.error,
              refetch: status.refetch,
            }}
            empty={{
              icon: Router,
              title: 'No peers',
              body: 'Peers are part of port settings, and appear here once the settings are applied to a port.',
            }}
          />
        </Card>
        {asns.length > 1 && (
          <div className="w-56 px-(--gutter)">
            <Listbox
              id="asn"
              aria-label="ASN"
              options={asns.map((one) => ({ value: String(one), label: `AS ${one}` }))}
              value={String(asn)}
              onChange={(one) =>
                void navigate({ ...samePage({ asn: Number(one) }), replace: true })
              }
            />
          </div>
        )}
        {asn !== undefined && <OfSystem asn={asn} peers={peers} />}
      </div>
    </TabPanel>
  )
}

function OfSystem({ asn, peers }: { asn: number; peers: BgpPeerStatus[] }) {
  const refetchInterval = POLL_MS
  const exported = useQuery({ ...exportedQuery, refetchInterval })
  const imported = useQuery({ ...importedQuery(asn), refetchInterval })
  const history = useQuery({ ...historyQuery(asn), refetchInterval })
  const own = new Set(
    peers.filter(({ localAsn }) => localAsn === asn).map((peer) => `${peer.switch} ${peer.peerId}`),
  )
  return (
    <>
      <Card title="Exported routes" description={`Routes announced to peers by AS ${asn}`}>
        <LoadedTable
          what="The exported routes"
          label="Exported routes"
          columns={exportedColumns}
          read={{
            rows: exported.data
              ?.filter((route) => own.has(`${route.switch} ${route.peerId}`))
              .map((route) => ({
                ...route,
                id: `${route.switch} ${route.peerId} ${route.prefix}`,
              })),
            error: exported.error,
            refetch: exported.refetch,
          }}
          skeletonRows={2}
          empty={{
            icon: ArrowUpFromLine,
            title: 'No exported routes',
            body: 'Networks of the announce set are exported to peers once their sessions are established.',
          }}
        />
      </Card>
      <Card title="Imported routes" description={`Routes received from peers by AS ${asn}`}>
        <LoadedTable
          what="The imported routes"
          label="Imported routes"
          columns={importedColumns}
          read={{
            rows: imported.data?.map((route) => ({
              ...route,
              key: `${route.switch} ${route.nexthop} ${route.prefix}`,
            })),
            error: imported.error,
            refetch: imported.refetch,
          }}
          skeletonRows={2}
          empty={{
            icon: ArrowDownToLine,
            title: 'No imported routes',
            body: 'No routes have been received from peers.',
          }}
        />
      </Card>
      <Card
        title="Messages"
        description={`The latest messages of each session of AS ${asn}, newest first`}
      >
        <LoadedTable
          what="The messages"
          label="Messages"
          columns={historyColumns}
          read={{
            rows: history.data && historyRows(history.data),
            error: history.error,
            refetch: history.refetch,
          }}
          skeletonRows={3}
          empty={{
            icon: MessagesSquare,
            title: 'No messages',
            body: 'No session has been established yet.',
          }}
        />
      </Card>
    </>
  )
}

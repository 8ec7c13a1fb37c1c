import { apiQuery } from '../../../data/api.ts'
import type {
  AddressLotSummary,
  BfdStatus,
  BgpPeerStatus,
  Issue,
  SwitchPortDetails,
} from '@steading/api/client'
import { gigabits } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { EthernetPort, HeartPulse, Router, Rows3 } from 'lucide-react'
import { textOfBlock } from '../../address-lots/columns.tsx'
import { BfdStateBadge, PeerStateBadge, LinkStateBadge } from '../state-badges.tsx'
import { peersQuery } from '../../bgp/queries.ts'
import { useCapability } from '../../../data/capabilities.ts'
import { useLivePolling } from '../../../data/live.ts'
import { TabPanel } from '../../../page/page-tabs.tsx'
import { connectivityTabs } from '../connectivity-page.tsx'
import { linkTo } from '../../../data/addresses.ts'
import { severityTones, issuesQuery } from '../../../observability/issues/open-issues.ts'
import { LoadedTable } from '../../../page/loaded-table.tsx'
import { LINK_POLL_MS, configuredPortsQuery } from '../../switch-ports/queries.ts'
import { LinkButton } from '../../../ui/button.tsx'
import { Card, CardBody } from '../../../ui/card.tsx'
import type { Column } from '../../../ui/column.ts'
import { CellLink, TextLink } from '../../../ui/link.tsx'
import { StateBadge, StateShape } from '../../../ui/state-badge.tsx'
import { Mono } from '../../../ui/text.tsx'
import { overviewLotsQuery } from '../../address-lots/queries.ts'

const portColumns: Column<SwitchPortDetails>[] = [
  {
    id: 'port',
    header: 'Port',
    cell: ({ id, name }) => (
      <CellLink to="/system/networking/switch-ports/$switchPort" params={{ switchPort: id }}>
        {name}
      </CellLink>
    ),
  },
  {
    id: 'links',
    header: 'Links',
    phone: 'first',
    labelled: true,
    cell: ({ links }) => (
      <span className="flex flex-wrap gap-1.5">
        {links.map(({ linkName, state }) => (
          <LinkStateBadge key={linkName} state={state} />
        ))}
      </span>
    ),
  },
  {
    id: 'speed',
    header: 'Speed',
    width: 112,
    phone: 'second',
    cell: ({ links }) => `${links.reduce((sum, { speed }) => sum + gigabits(speed), 0)} Gb/s`,
  },
]

const peerColumns: Column<BgpPeerStatus & { id: string }>[] = [
  { id: 'peer', header: 'Peer', cell: ({ addr }) => <Mono>{addr}</Mono> },
  {
    id: 'state',
    header: 'State',
    phone: 'first',
    cell: ({ state }) => <PeerStateBadge state={state} />,
  },
  {
    id: 'switch',
    header: 'Switch',
    width: 112,
    phone: 'second',
    labelled: true,
    cell: (peer) => peer.switch,
  },
]

const bfdColumns: Column<BfdStatus & { id: string }>[] = [
  { id: 'peer', header: 'Peer', cell: ({ peer }) => <Mono>{peer}</Mono> },
  {
    id: 'state',
    header: 'State',
    phone: 'first',
    cell: ({ state }) => <BfdStateBadge state={state} />,
  },
  {
    id: 'switch',
    header: 'Switch',
    width: 112,
    phone: 'second',
    labelled: true,
    cell: ({ switchSlot }) => switchSlot,
  },
]

const lotColumns: Column<AddressLotSummary>[] = [
  {
    id: 'name',
    header: 'Lot',
    cell: ({ name }) => (
      <CellLink to="/system/networking/address-lots/$addressLot" params={{ addressLot: name }}>
        {name}
      </CellLink>
    ),
  },
  {
    id: 'blocks',
    header: 'Blocks',
    phone: 'second',
    labelled: true,
    cell: ({ firstBlock, blockCount }) =>
      firstBlock && (
        <>
          <Mono>{textOfBlock(firstBlock)}</Mono>
          {blockCount > 1 && <span className="ms-1.5 text-tertiary">+{blockCount - 1}</span>}
        </>
      ),
  },
  { id: 'uses', header: 'In use by', width: 112, cell: ({ useCount }) => useCount },
]

/** The state of uplinks, peers and lots at a glance, problems first. */
export function OverviewTab() {
  const refetchInterval = LINK_POLL_MS
  const hasIssues = useCapability('issues')
  const enabled = useCapability('lists')
  const ports = useQuery({ ...configuredPortsQuery, refetchInterval, enabled })
  const peers = useQuery({ ...peersQuery, refetchInterval })
  const bfd = useQuery({ ...apiQuery('networkingBfdStatus', {}), refetchInterval })
  const lots = useQuery({ ...overviewLotsQuery, refetchInterval: useLivePolling(30_000), enabled })
  return (
    <TabPanel of={connectivityTabs} tab="Overview">
      <div className="flex flex-col gap-6 pb-6">
        {hasIssues && (
          <Card title="Now" description="Open issues, worst first">
            <CardBody>
              <Now />
            </CardBody>
          </Card>
        )}
        <div className="grid items-start gap-6 xl:grid-cols-2 xl:gap-x-0 xl:*:min-w-0 xl:*:odd:me-3! xl:*:even:ms-3!">
          {enabled && (
            <Card
              title="Uplinks"
              description="Ports with settings"
              actions={<LinkButton to="/system/networking/switch-ports">Switch ports</LinkButton>}
            >
              <LoadedTable
                what="The uplinks"
                label="Uplinks"
                columns={portColumns}
                read={{ rows: ports.data?.items, error: ports.error, refetch: ports.refetch }}
                skeletonRows={2}
                empty={{
                  icon: EthernetPort,
                  title: 'No uplinks',
                  body: 'Create port settings, and apply them to a port of each switch.',
                }}
              />
            </Card>
          )}
          <Card
            title="BGP peers"
            description="Sessions with outside routers"
            actions={<LinkButton to="/system/networking/bgp-peers">BGP peers</LinkButton>}
          >
            <LoadedTable
              what="The peers"
              label="Peers"
              columns={peerColumns}
              read={{
                rows: peers.data?.map((peer) => ({ ...peer, id: `${peer.switch} ${peer.peerId}` })),
                error: peers.error,
                refetch: peers.refetch,
              }}
              skeletonRows={2}
              empty={{
                icon: Router,
                title: 'No peers',
                body: 'Peers are part of port settings that are applied to a port.',
              }}
            />
          </Card>
          <Card
            title="BFD sessions"
            description="Fast detection of dead paths"
            actions={<LinkButton to="/system/networking/bfd">BFD</LinkButton>}
          >
            <LoadedTable
              what="The BFD sessions"
              label="BFD sessions"
              columns={bfdColumns}
              read={{
                rows: bfd.data?.map((session) => ({
                  ...session,
                  id: `${session.switchSlot} ${session.peer}`,
                })),
                error: bfd.error,
                refetch: bfd.refetch,
              }}
              skeletonRows={2}
              empty={{
                icon: HeartPulse,
                title: 'No BFD sessions',
                body: 'Without BFD, BGP needs seconds to detect a dead path to a router.',
              }}
            />
          </Card>
          {enabled && (
            <Card
              title="Address lots"
              description="Addresses assigned to the rack"
              actions={<LinkButton to="/system/networking/address-lots">Address lots</LinkButton>}
            >
              <LoadedTable
                what="The address lots"
                label="Address lots"
                columns={lotColumns}
                read={{ rows: lots.data?.items, error: lots.error, refetch: lots.refetch }}
                skeletonRows={2}
                empty={{
                  icon: Rows3,
                  title: 'No address lots',
                  body: 'An address lot holds addresses for uplinks and announced networks.',
                }}
              />
            </Card>
          )}
        </div>
      </div>
    </TabPanel>
  )
}

/** Whether an issue links to one of the tabs of external connectivity. */
const isOfConnectivity = ({ path }: Issue) =>
  connectivityTabs.tabs.some(({ to }) => path === to || path.startsWith(`${to}/`))

function Now() {
  const { data, error } = useQuery({ ...issuesQuery, refetchInterval: LINK_POLL_MS })
  const issues = data?.items.filter(isOfConnectivity)
  if (!issues) {
    return (
      <p className="text-secondary">
        {error
          ? `The state of the uplinks could not be read: ${error.message}`
          : 'The state of the uplinks is being read.'}
      </p>
    )
  }
  if (issues.length === 0) {
    return (
      <p className="flex flex-wrap items-center gap-3">
        <StateBadge tone="works">all is well</StateBadge>
        <span className="text-secondary">No link is down, and no session with a router.</span>
      </p>
    )
  }
  return (
    <ul aria-label="Open connectivity issues" className="flex flex-col gap-2.5">
      {issues.map(({ id, severity, sentence, path }) => (
        <li key={id} className="flex items-center gap-2.5">
          <StateShape tone={severityTones[severity]} />
          <TextLink {...linkTo(path)}>{sentence}</TextLink>
        </li>
      ))}
    </ul>
  )
}

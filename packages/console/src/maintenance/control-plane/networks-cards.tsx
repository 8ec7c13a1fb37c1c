/** The hosts and programs that carry the networks of VPCs; only with the extension. */
import type {
  NetworkDaemon,
  NetworkDaemonState,
  NetworkHost,
  SystemNetworks,
} from '@steading/api/client'
import { networkFaults } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../data/api.ts'
import { POLL_MS } from '../../data/live.ts'
import { LoadError } from '../../page/load-error.tsx'
import { QueryError } from '../../page/query-error.tsx'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Card, CardBody, CardEmpty } from '../../ui/card.tsx'
import type { Column } from '../../ui/column.ts'
import { formatNumber } from '../../ui/number.ts'
import { StateBadge, type StateTone } from '../../ui/state-badge.tsx'
import { Table } from '../../ui/table.tsx'
import { EmptyCell } from '../../ui/text.tsx'
import { DateTime, TimeAgo } from '../../ui/time.tsx'

type Row = NetworkHost & { isKnown: boolean }

const hostColumns: Column<Row>[] = [
  { id: 'host', header: 'host', cell: ({ name }) => name },
  {
    id: 'state',
    header: 'state',
    width: 176,
    phone: 'first',
    cell: ({ timeSilent, isKnown }) =>
      !isKnown ? (
        <EmptyCell />
      ) : timeSilent ? (
        <StateBadge tone="failed">does not answer</StateBadge>
      ) : (
        <StateBadge tone="works">follows changes</StateBadge>
      ),
  },
  {
    id: 'answered',
    header: 'last answer',
    width: 152,
    phone: 'second',
    labelled: true,
    cell: ({ timeAnswered }) =>
      timeAnswered ? <TimeAgo date={timeAnswered} caption="Last answer" ago /> : <EmptyCell />,
  },
  {
    id: 'tunnels',
    header: 'tunnels',
    width: 96,
    align: 'end',
    phone: 'second',
    labelled: true,
    cell: ({ tunnels }) => formatNumber(tunnels),
  },
]

const daemonStates: Record<NetworkDaemonState, { tone: StateTone; label: string }> = {
  running: { tone: 'works', label: 'running' },
  silent: { tone: 'failed', label: 'does not answer' },
  ended: { tone: 'failed', label: 'not running' },
}

const daemonColumns: Column<NetworkDaemon>[] = [
  { id: 'program', header: 'program', cell: ({ name }) => name },
  {
    id: 'state',
    header: 'state',
    width: 176,
    phone: 'first',
    cell: ({ state }) => (
      <StateBadge tone={daemonStates[state].tone}>{daemonStates[state].label}</StateBadge>
    ),
  },
  {
    id: 'started',
    header: 'started',
    width: 208,
    phone: 'second',
    cell: ({ timeStarted }) => (timeStarted ? <DateTime date={timeStarted} /> : <EmptyCell />),
  },
  {
    id: 'version',
    header: 'version',
    width: 96,
    phone: 'second',
    labelled: true,
    cell: ({ version }) => version ?? <EmptyCell />,
  },
]

/** Without the databases and `ovn-northd`, nobody knows what hosts follow. */
const hostsOf = ({ hosts, silent }: SystemNetworks): Row[] =>
  hosts.map((host) => ({ ...host, isKnown: silent === null || host.timeSilent !== null }))

export default function NetworksCards() {
  const { data, error, refetch } = useQuery({
    ...apiQuery('systemNetworksView', {}),
    refetchInterval: POLL_MS,
  })
  const flows = data?.hostState?.flows
  if (error && !data) {
    return (
      <Card title="Networks">
        <LoadError what="The state of networks" error={error} onRetry={refetch} />
      </Card>
    )
  }
  return (
    <>
      <Card title="Networks" description="The hosts that carry the packets of VPCs">
        {(error || data?.silent) && (
          <CardBody>
            <QueryError error={error} onRetry={refetch} />
            <ErrorBanner messages={data?.silent ? [networkFaults.center[data.silent]] : []} />
          </CardBody>
        )}
        <Table
          label="Hosts of networks"
          columns={hostColumns}
          rows={data && hostsOf(data)}
          rowKey={({ name }) => name}
          skeletonRows={1}
          empty={<CardEmpty title="The hosts are not known now" />}
        />
      </Card>
      <Card
        title="Network software"
        description={
          flows == null
            ? 'On the host of this server'
            : `On the host of this server, whose switch has ${formatNumber(flows)} flows`
        }
      >
        <Table
          label="Network software"
          columns={daemonColumns}
          rows={data && (data.hostState?.daemons ?? [])}
          rowKey={({ name }) => name}
          skeletonRows={5}
          empty={<CardEmpty title="The software of this host does not answer" />}
        />
      </Card>
    </>
  )
}

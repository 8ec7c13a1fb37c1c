import { Suspense } from 'react'
import type { ListColumn } from '../../page/columns.tsx'
import { AddressCell, ListPlusCell } from '../../ui/cells.tsx'
import type { Column } from '../../ui/column.ts'
import { lazyPart } from '../../ui/lazy-part.ts'
import { CellLink } from '../../ui/link.tsx'
import { Size } from '../../ui/text.tsx'
import { DateTime, TimeAgo } from '../../ui/time.tsx'
import { tooltip } from '../../ui/tooltip.tsx'
import { ExternalIpsCell } from './external-ips-cell.tsx'
import { failureText } from './failure.ts'
import { InstanceStateBadge, VCpus } from './instance-cells.tsx'
import type { InstanceRow } from './queries.ts'

const ImageCell = lazyPart(() =>
  import('./further-cells.tsx').then((module) => ({ default: module.ImageCell })),
)
const CpuUseCell = lazyPart(() =>
  import('./further-cells.tsx').then((module) => ({ default: module.CpuUseCell })),
)

const sledColumn: Column<InstanceRow> = {
  id: 'sled',
  header: 'sled',
  optional: true,
  width: 136,
  cell: ({ sled }) =>
    sled && (
      <CellLink to="/system/inventory/sleds/$sledId/instances" params={{ sledId: sled.id }}>
        {sled.serial}
      </CellLink>
    ),
}

/** @param operator whether to show the sled, which only operators may read */
export const instanceColumns = (project: string, operator: boolean): ListColumn<InstanceRow>[] => [
  'name',
  {
    id: 'state',
    width: 168,
    // As wide as the widest state, so ages stay aligned and do not move when a state changes.
    cell: (instance) => (
      <span className="grid grid-cols-[minmax(6rem,max-content)_minmax(2.25rem,1fr)] items-center justify-items-start gap-2">
        <State instance={instance} />
        <TimeAgo
          date={instance.timeRunStateUpdated}
          caption="Run state updated"
          className="text-tertiary"
        />
      </span>
    ),
  },
  {
    id: 'cpu',
    header: 'CPU',
    sort: 'ncpus',
    align: 'end',
    width: 96,
    phone: 'second',
    cell: ({ ncpus }) => <VCpus count={ncpus} aligned />,
  },
  {
    id: 'memory',
    header: 'Memory',
    sort: 'memory',
    align: 'end',
    width: 96,
    phone: 'second',
    cell: ({ memory }) => <Size bytes={memory} />,
  },
  {
    id: 'external-ips',
    header: 'External IPs',
    width: 156,
    phone: 'second',
    cell: (instance) => <ExternalIpsCell project={project} instance={instance} />,
  },
  'created',
  { id: 'description', optional: true },
  {
    id: 'cpu-use',
    header: 'CPU use',
    optional: true,
    width: 152,
    align: 'end',
    cell: ({ id, runState }) =>
      runState === 'running' ? (
        <Suspense>
          <CpuUseCell project={project} instanceId={id} />
        </Suspense>
      ) : null,
  },
  {
    id: 'private-ips',
    header: 'private IPs',
    optional: true,
    width: 176,
    cell: ({ privateIps = [] }) => (
      <ListPlusCell
        title="Other private IPs"
        items={privateIps.map((ip) => ({ text: ip, content: <AddressCell address={ip} /> }))}
      />
    ),
  },
  {
    id: 'image',
    header: 'image',
    optional: true,
    width: 176,
    cell: ({ imageId }) =>
      imageId ? (
        <Suspense>
          <ImageCell imageId={imageId} />
        </Suspense>
      ) : null,
  },
  ...(operator ? [sledColumn] : []),
  {
    id: 'state-changed',
    header: 'state changed',
    optional: true,
    sort: 'time_run_state_updated',
    width: 176,
    cell: ({ timeRunStateUpdated }) => <DateTime date={timeRunStateUpdated} />,
  },
  {
    id: 'restarted',
    header: 'restarted',
    optional: true,
    sort: 'time_last_auto_restarted',
    width: 176,
    cell: ({ timeLastAutoRestarted }) =>
      timeLastAutoRestarted ? <DateTime date={timeLastAutoRestarted} /> : null,
  },
]

/** The state of an instance, with the reason of a failure in a tooltip. */
function State({ instance: { runState, failure } }: { instance: InstanceRow }) {
  // An action updates the state before the list is refetched, so `failure` may be out of date.
  const why = runState === 'failed' && failure ? failureText(failure) : undefined
  if (!why) return <InstanceStateBadge state={runState} />
  return (
    <span className="flex" {...tooltip(why)}>
      <InstanceStateBadge state={runState} />
      <span className="sr-only">{why}</span>
    </span>
  )
}

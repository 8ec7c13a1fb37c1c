import { descriptionColumn } from '../page/columns.tsx'
import type { Column } from '../ui/column.ts'
import { CellLink } from '../ui/link.tsx'
import { Size } from '../ui/text.tsx'
import { DateTime, TimeAgo } from '../ui/time.tsx'
import { tooltip } from '../ui/tooltip.tsx'
import { ExternalIpsCell } from './external-ips-cell.tsx'
import { failureText } from './failure.ts'
import { InstanceStateBadge } from './instance-state-badge.tsx'
import type { InstanceRow } from './list.ts'
import { VCpus } from './vcpus.tsx'

/** Columns have widths of their own, so that they are where they were on the page before. */
export const instanceColumns = (project: string): Column<InstanceRow>[] => [
  {
    id: 'name',
    header: 'name',
    sort: 'name',
    className: 'w-[28%]',
    cell: ({ name }) => (
      <CellLink
        to="/projects/$project/instances/$instance/storage"
        params={{ project, instance: name }}
        className="max-w-96 max-sm:max-w-36 2xl:max-w-none"
      >
        {name}
      </CellLink>
    ),
  },
  {
    id: 'state',
    header: 'state',
    sort: 'state',
    className: 'w-40',
    // As wide as the widest state: ages stay in line, and stay put when a state changes.
    cell: (instance) => (
      <span className="flex items-center gap-2">
        <span className="flex min-w-24">
          <State instance={instance} />
        </span>
        <span className="min-w-7 text-tertiary">
          <TimeAgo date={instance.timeRunStateUpdated} caption="Run state updated" />
        </span>
      </span>
    ),
  },
  {
    id: 'cpu',
    header: 'CPU',
    sort: 'ncpus',
    align: 'end',
    className: 'w-24',
    cell: ({ ncpus }) => <VCpus count={ncpus} className="min-w-10" />,
  },
  {
    id: 'memory',
    header: 'Memory',
    sort: 'memory',
    align: 'end',
    className: 'w-24',
    cell: ({ memory }) => <Size bytes={memory} />,
  },
  {
    id: 'external-ips',
    header: 'External IPs',
    className: 'w-50',
    cell: (instance) => <ExternalIpsCell project={project} instance={instance} />,
  },
  {
    id: 'created',
    header: 'created',
    sort: 'time_created',
    className: 'w-52',
    cell: ({ timeCreated }) => <DateTime date={timeCreated} />,
  },
  { ...descriptionColumn, optional: true },
  {
    id: 'state-changed',
    header: 'state changed',
    optional: true,
    sort: 'time_run_state_updated',
    cell: ({ timeRunStateUpdated }) => <DateTime date={timeRunStateUpdated} />,
  },
  {
    id: 'restarted',
    header: 'restarted',
    optional: true,
    sort: 'time_last_auto_restarted',
    cell: ({ timeLastAutoRestarted }) =>
      timeLastAutoRestarted ? <DateTime date={timeLastAutoRestarted} /> : null,
  },
]

/** The state; of a failed instance also why, in a tooltip. */
function State({ instance: { runState, failure } }: { instance: InstanceRow }) {
  // An action shows the new state before the list is read again.
  const why = runState === 'failed' && failure ? failureText(failure) : undefined
  return (
    <span className="flex" {...tooltip(why)}>
      <InstanceStateBadge state={runState} />
      {why && <span className="sr-only">{why}</span>}
    </span>
  )
}

import type { InstanceMove } from '@steading/api/client'
import { ArrowLeftRight } from 'lucide-react'
import { causeWords, moveStateLabels, sledMovesQuery } from '../../compute/moves/queries.ts'
import { useLivePolling } from '../../data/live.ts'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { usePages } from '../../page/use-pages.ts'
import type { Column } from '../../ui/column.ts'
import { CellLink } from '../../ui/link.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'
import { DateTime } from '../../ui/time.tsx'
import { useSledParam } from '../inventory/queries.ts'
import { PlacedInstance } from './sled-instances-tab.tsx'
import { Truncate } from '../../ui/text.tsx'

/** Polling interval without live events. */
const POLL_MS = 5_000

/** A sled; a link unless the page is about it. */
function OtherSled({ id, serial }: InstanceMove['to']) {
  if (useSledParam() === id) return <Truncate text={serial} />
  return (
    <CellLink to="/system/inventory/sleds/$sledId/moves" params={{ sledId: id }}>
      {serial}
    </CellLink>
  )
}

const columns: Column<InstanceMove>[] = [
  {
    id: 'instance',
    header: 'instance',
    cell: ({ siloName, projectName, instanceName }) => (
      <PlacedInstance siloName={siloName} projectName={projectName} name={instanceName} />
    ),
  },
  {
    id: 'state',
    header: 'state',
    width: 128,
    phone: 'first',
    cell: ({ state }) => {
      const { tone, word } = moveStateLabels[state]
      return (
        <StateBadge tone={tone} transitional={state === 'moving'}>
          {word}
        </StateBadge>
      )
    },
  },
  {
    id: 'from',
    header: 'from',
    width: 136,
    phone: 'second',
    labelled: true,
    cell: ({ from }) => <OtherSled {...from} />,
  },
  {
    id: 'to',
    header: 'to',
    width: 136,
    phone: 'second',
    labelled: true,
    cell: ({ to }) => <OtherSled {...to} />,
  },
  { id: 'cause', header: 'cause', width: 192, cell: causeWords },
  {
    id: 'began',
    header: 'began',
    width: 176,
    phone: 'second',
    cell: ({ timeStarted }) => <DateTime date={timeStarted} />,
  },
  {
    id: 'reason',
    header: 'reason',
    phone: 'second',
    cell: ({ state, reason, cancelledBy }) =>
      state === 'cancelled' ? `By ${cancelledBy}` : reason,
  },
]

/** The moves of instances to and from a sled. */
export function SledMovesTab() {
  const sledId = useSledParam()
  const refetchInterval = useLivePolling(POLL_MS)
  const { pagination, ...read } = usePages<InstanceMove>((token) => ({
    ...sledMovesQuery(sledId, token),
    refetchInterval,
  }))
  return (
    <div role="tabpanel" aria-labelledby="sled-tab-moves" className="flex flex-col py-4">
      <LoadedTable
        label="Moves"
        what="The moves"
        read={read}
        columns={columns}
        empty={{
          icon: ArrowLeftRight,
          title: 'No moves found',
          body: 'Moves of running instances to and from the sled will be shown here',
        }}
      />
      <Pagination {...pagination} />
    </div>
  )
}

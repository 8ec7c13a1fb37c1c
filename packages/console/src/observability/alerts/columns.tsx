import type { ListColumn } from '../../page/columns.tsx'
import type { Alert, AlertDeliveryCounts } from '@steading/api/client'
import { deliveryStates } from '@steading/api/rules'
import { CellLink } from '../../ui/link.tsx'
import { EmptyCell } from '../../ui/text.tsx'
import { DateTime } from '../../ui/time.tsx'
import { DeliveryStateBadge } from './delivery-state.tsx'

/** Rows of a searched list include delivery counts. */
export type AlertRow = Alert & { deliveries?: AlertDeliveryCounts }

function Deliveries({ counts }: { counts: AlertDeliveryCounts | undefined }) {
  const states = deliveryStates.filter((state) => counts?.[state])
  if (!counts || states.length === 0) return <EmptyCell />
  return (
    <span className="flex flex-wrap gap-1">
      {states.map((state) => (
        <span key={state} className="inline-flex items-center gap-1">
          {(counts[state] ?? 0) > 1 && <span>{counts[state]}</span>}
          <DeliveryStateBadge state={state} />
        </span>
      ))}
    </span>
  )
}

export const alertColumns: ListColumn<AlertRow>[] = [
  {
    id: 'class',
    header: 'class',
    sort: 'class',
    cell: (alert) => (
      <CellLink to="/system/alerts/$alert" params={{ alert: alert.id }}>
        {alert.class}
      </CellLink>
    ),
  },
  {
    id: 'deliveries',
    header: 'deliveries',
    width: 260,
    phone: 'second',
    labelled: true,
    cell: ({ deliveries }) => <Deliveries counts={deliveries} />,
  },
  {
    id: 'created',
    header: 'raised',
    sort: 'time_created',
    width: 176,
    phone: 'second',
    labelled: true,
    cell: ({ timeCreated }) => <DateTime date={timeCreated} />,
  },
]

import { ALERTS_KEPT_DAYS, deliveryStates } from '@steading/api/rules'
import { BellRing } from 'lucide-react'
import type { Alert, AlertDeliveryCounts } from '@steading/api/client'
import { resourceList, ResourceTab } from '../../page/resource-list.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { alertListDefinition } from './queries.ts'
import type { ListColumn } from '../../page/columns.tsx'
import { CellLink } from '../../ui/link.tsx'
import { EmptyCell } from '../../ui/text.tsx'
import { DateTime } from '../../ui/time.tsx'
import { DeliveryStateBadge } from './delivery-state.tsx'

/** Rows of a searched list include delivery counts. */
type AlertRow = Alert & { deliveries?: AlertDeliveryCounts }

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

const alertColumns: ListColumn<AlertRow>[] = [
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

const noActions = (): MenuAction[] => []

const alerts = resourceList({
  list: alertListDefinition,
  noun: 'alert',
  icon: BellRing,
  path: '/system/alerts',
  columns: alertColumns,
  nameOf: (alert) => alert.class,
  empty: { body: `Events in the rack are listed here for ${ALERTS_KEPT_DAYS} days` },
})

export const AlertsTab = () => (
  <div role="tabpanel" aria-labelledby="alerts-tab-alerts" className="flex grow flex-col pt-4">
    <ResourceTab of={alerts} actions={noActions} />
  </div>
)

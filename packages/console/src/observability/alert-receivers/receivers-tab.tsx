import { Webhook } from 'lucide-react'
import type { AlertReceiver, LastAlertDelivery } from '@steading/api/client'
import { resourceList, ResourceTab } from '../../page/resource-list.tsx'
import { receiverListDefinition } from './queries.ts'
import { useReceiverActions } from './receiver-actions.tsx'
import { DeliveryStateBadge } from '../alerts/delivery-state.tsx'
import type { ListColumn } from '../../page/columns.tsx'
import { ListPlusCell } from '../../ui/cells.tsx'
import { Mono, Truncate } from '../../ui/text.tsx'

/** Rows of a searched list include the last delivery. */
type ReceiverRow = AlertReceiver & { lastDelivery?: LastAlertDelivery | null }

const receiverColumns: ListColumn<ReceiverRow>[] = [
  'name',
  'description',
  {
    id: 'endpoint',
    header: 'URL',
    sort: 'endpoint',
    phone: 'second',
    cell: ({ kind }) => <Truncate text={kind.endpoint} />,
  },
  {
    id: 'subscriptions',
    header: 'subscriptions',
    width: 232,
    cell: ({ subscriptions }) =>
      subscriptions.length > 0 ? (
        <ListPlusCell
          title="Subscriptions"
          items={subscriptions.map((each) => ({ text: each, content: <Mono>{each}</Mono> }))}
        />
      ) : null,
  },
  {
    id: 'last-delivery',
    header: 'last delivery',
    width: 136,
    phone: 'first',
    labelled: true,
    cell: ({ lastDelivery }) =>
      lastDelivery ? <DeliveryStateBadge state={lastDelivery.state} /> : null,
  },
  'created',
]

const receivers = resourceList({
  list: receiverListDefinition,
  noun: 'receiver',
  icon: Webhook,
  path: '/system/alert-receivers',
  item: '/system/alert-receivers/$receiver',
  columns: receiverColumns,
  bulk: true,
  create: { calls: 'webhookReceiverCreate' },
  empty: { body: 'Create a receiver to have alerts delivered to your systems' },
})

export function ReceiversTab() {
  return (
    <div role="tabpanel" aria-labelledby="alerts-tab-receivers" className="flex grow flex-col pt-4">
      <ResourceTab of={receivers} actions={useReceiverActions()} />
    </div>
  )
}

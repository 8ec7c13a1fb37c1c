import type { AlertReceiver, LastAlertDelivery } from '@steading/api/client'
import { DeliveryStateBadge } from '../alerts/delivery-state.tsx'
import type { ListColumn } from '../../page/columns.tsx'
import { ListPlusCell } from '../../ui/cells.tsx'
import { Mono, Truncate } from '../../ui/text.tsx'

/** Rows of a searched list include the last delivery. */
export type ReceiverRow = AlertReceiver & { lastDelivery?: LastAlertDelivery | null }

export const receiverColumns: ListColumn<ReceiverRow>[] = [
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

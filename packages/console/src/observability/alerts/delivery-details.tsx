import type { DeliveryOfAlert, WebhookDeliveryAttempt } from '@steading/api/client'
import { Send } from 'lucide-react'
import { CardEmpty } from '../../ui/card.tsx'
import type { Column } from '../../ui/column.ts'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { ReadOnlySideModal } from '../../ui/side-modal.tsx'
import { Table } from '../../ui/table.tsx'
import { Mono } from '../../ui/text.tsx'
import { DateTime } from '../../ui/time.tsx'
import { DeliveryStateBadge, outcomeOf, triggerLabels } from './delivery-state.tsx'

const columns: Column<WebhookDeliveryAttempt>[] = [
  { id: 'attempt', header: 'attempt', width: 84, cell: ({ attempt }) => attempt },
  { id: 'sent', header: 'sent', width: 168, cell: ({ timeSent }) => <DateTime date={timeSent} /> },
  { id: 'outcome', header: 'outcome', phone: 'second', cell: outcomeOf },
]

/** A delivery with all its attempts. */
export default function DeliveryDetails({
  delivery,
  onDismiss,
}: {
  delivery: DeliveryOfAlert
  onDismiss: () => void
}) {
  const { alertClass, receiverName, state, trigger, timeStarted, timeNextAttempt } = delivery
  return (
    <ReadOnlySideModal
      title="Delivery"
      subtitle={
        <>
          <Send size={16} strokeWidth={1.5} aria-hidden />
          <span className="min-w-0 truncate">
            {alertClass} to {receiverName}
          </span>
        </>
      }
      onDismiss={onDismiss}
    >
      <PropertiesTable>
        <PropertiesTable.IdRow id={delivery.id} />
        <PropertiesTable.Row label="Alert">
          <Mono className="wrap-anywhere">{alertClass}</Mono>
        </PropertiesTable.Row>
        <PropertiesTable.Row label="Receiver">{receiverName}</PropertiesTable.Row>
        <PropertiesTable.Row label="State">
          <DeliveryStateBadge state={state} />
        </PropertiesTable.Row>
        <PropertiesTable.Row label="Reason">{triggerLabels[trigger]}</PropertiesTable.Row>
        <PropertiesTable.DateRow label="Started" date={timeStarted} />
        {timeNextAttempt && <PropertiesTable.DateRow label="Next attempt" date={timeNextAttempt} />}
      </PropertiesTable>
      <div className="overflow-clip rounded-card border [--gutter:12px]">
        <Table
          label="Attempts"
          columns={columns}
          rows={delivery.attempts.webhook}
          rowKey={({ attempt }) => String(attempt)}
          empty={
            <CardEmpty title="Not tried yet" body="The first attempt is made within seconds" />
          }
        />
      </div>
    </ReadOnlySideModal>
  )
}

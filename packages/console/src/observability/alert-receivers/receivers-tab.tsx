import { Webhook } from 'lucide-react'
import { resourceList, ResourceTab } from '../../page/resource-list.tsx'
import { receiverColumns } from './columns.tsx'
import { receiverListDefinition } from './queries.ts'
import { useReceiverActions } from './receiver-actions.tsx'

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

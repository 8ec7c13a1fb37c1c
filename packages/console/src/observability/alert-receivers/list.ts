import type { ListDefinition } from '../../data/lists.ts'

export const receiverListDefinition: ListDefinition<'alertReceiverList'> = {
  kind: 'alert_receiver',
  id: 'alert-receivers',
  operation: 'alertReceiverList',
  searched: 'alertReceiverSearch',
}

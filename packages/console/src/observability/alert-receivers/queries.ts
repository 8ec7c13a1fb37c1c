import { useParams } from '@tanstack/react-router'
import { apiQuery } from '../../data/api.ts'
import type { ListDefinition } from '../../data/lists.ts'

export const receiverListDefinition: ListDefinition<'alertReceiverList'> = {
  kind: 'alert_receiver',
  id: 'alert-receivers',
  operation: 'alertReceiverList',
}

export const receiverQuery = (receiver: string) =>
  apiQuery('alertReceiverView', { path: { receiver } })

/** The page's receiver in the address: its name, or its ID. */
export const useReceiverParam = (): string =>
  useParams({
    from: '/shell/system/alert-receivers-crumb/system/alert-receivers/$receiver',
  }).receiver

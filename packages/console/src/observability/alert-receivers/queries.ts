import { useParams } from '@tanstack/react-router'
import { apiQuery, invalidate } from '../../data/api.ts'
import type { ListDefinition } from '../../data/lists.ts'

export const receiverListDefinition: ListDefinition<'alertReceiverList'> = {
  kind: 'alert_receiver',
  id: 'alert-receivers',
  operation: 'alertReceiverList',
}

export const receiverQuery = (receiver: string) =>
  apiQuery('alertReceiverView', { path: { receiver } })

/** Invalidates reads affected by a change of a receiver. */
export const receiversChanged = () =>
  invalidate('alertReceiverList', 'alertReceiverView', 'webhookSecretsList')

/** The page's receiver in the address: its name, or its ID. */
export const useReceiverParam = (): string =>
  useParams({
    from: '/shell/system/alert-receivers-crumb/system/alert-receivers/$receiver',
  }).receiver

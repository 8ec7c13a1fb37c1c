import { ALL_ITEMS, apiQuery, PAGE_SIZE } from '../data/api.ts'
import type { DeliveryState } from '@steading/api/rules'

export const alertQuery = (alertId: string) => apiQuery('alertView', { path: { alertId } })

/** Of an alert, or to a receiver; the latest come first. */
export type DeliveriesOf = { alert: string } | { receiver: string }

export const deliveriesQuery = (of: DeliveriesOf, state?: DeliveryState, pageToken?: string) =>
  apiQuery('alertDeliverySearch', {
    query: { ...of, state, limit: PAGE_SIZE, sortBy: 'time_started_descending', pageToken },
  })

export const allReceiversQuery = apiQuery('alertReceiverList', { query: { limit: ALL_ITEMS } })

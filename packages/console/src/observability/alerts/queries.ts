import type { Result } from '@steading/api/client'
import { ageWords, alertClassNames, type DeliveryState } from '@steading/api/rules'
import { ALL_ITEMS, apiQuery, PAGE_SIZE } from '../../data/api.ts'
import type { ListDefinition } from '../../data/lists.ts'
import { withPlainFallback } from '../../data/capabilities.ts'

export const alertListDefinition: ListDefinition<'alertList'> = {
  kind: 'alert',
  id: 'alerts',
  operation: 'alertList',
  plainSorts: [],
  filters: { class: alertClassNames, age: ageWords },
  sort: 'time_created_descending',
}

export const alertQuery = (alertId: string) => apiQuery('alertView', { path: { alertId } })

/** Filter by alert or receiver; latest deliveries first. */
export type DeliveriesOf = { alert: string } | { receiver: string }

export function deliveriesQuery(of: DeliveriesOf, state?: DeliveryState, pageToken?: string) {
  const query = { limit: PAGE_SIZE, pageToken }
  const extended = apiQuery('alertDeliverySearch', {
    query: { ...of, ...query, state, sortBy: 'time_started_descending' },
  })
  return 'alert' in of
    ? extended
    : withPlainFallback('lists', extended, toReceiver(of.receiver, query, state))
}

/** Deliveries to a receiver, by its ID. */
const toReceiver = (
  receiver: string,
  query: { limit: number; pageToken?: string },
  state?: DeliveryState,
) => {
  const plain = apiQuery('alertDeliveryList', {
    path: { receiver },
    query: { ...query, ...(state ? { [state]: true } : {}) },
  })
  return {
    ...plain,
    queryFn: async (): Promise<Result<'alertDeliverySearch'>> => {
      const { items, ...page } = await plain.queryFn()
      return {
        ...page,
        items: items.map((one) => ({
          ...one,
          receiverName: one.receiverId,
          timeNextAttempt: null,
        })),
      }
    },
  }
}

export const allReceiversQuery = apiQuery('alertReceiverList', { query: { limit: ALL_ITEMS } })

import { apiQuery, PAGE_SIZE } from '../../data/api.ts'

type Filters = { unread?: boolean; limit?: number; pageToken?: string }

/** The newest first. */
export const notificationsQuery = ({ limit = PAGE_SIZE, ...filters }: Filters) =>
  apiQuery('notificationList', { query: { sortBy: 'time_changed_descending', limit, ...filters } })

/** @param project undefined for the user's own */
export const subscriptionsQuery = (project?: string) =>
  apiQuery('notificationSubscriptionList', { query: { project } })

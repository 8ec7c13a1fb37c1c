import type { StoredKind } from '../../../kernel/kinds.ts'
import { notificationSubscriptionTables, notificationTables } from './table.ts'

declare module '../../../kernel/kinds.ts' {
  interface SharedTables {
    project_notification: 'notification'
    silo_notification: 'notification'
    system_notification: 'notification'
    project_notification_subscription: 'notification_subscription'
  }
}

export const project_notification: StoredKind<'project_notification'> = {
  table: 'notification',
  tables: notificationTables,
  live: 'project_id is not null',
}

export const silo_notification: StoredKind<'silo_notification'> = {
  table: 'notification',
  live: 'silo_id is not null and project_id is null',
}

export const system_notification: StoredKind<'system_notification'> = {
  table: 'notification',
  live: 'fleet_id is not null',
}

export const notification_subscription: StoredKind<'notification_subscription'> = {
  tables: notificationSubscriptionTables,
  live: 'user_id is not null',
  parentColumn: 'user_id',
}

export const project_notification_subscription: StoredKind<'project_notification_subscription'> = {
  table: 'notification_subscription',
  live: 'project_id is not null',
}

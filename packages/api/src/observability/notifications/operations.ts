import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { boolean, commaSeparated, NameOrId, resultsPage, shortText, uuid } from '../../schema.ts'
import { notificationTopics } from './rules.ts'
import {
  NotificationLinkView,
  Notification,
  NotificationsAllRead,
  NotificationSettings,
  NotificationsRead,
  NotificationSubscription,
  NotificationSubscriptionCreate,
  NotificationSubscriptions,
  NotificationSubscriptionUpdate,
  UnreadNotifications,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

const tags = ['extensions']
const own = { project_notification_subscription: 'modify' } as const

/** The notifications of a user are those that the user may read at present. */
export const notificationOperations = {
  notification_list: {
    method: 'GET',
    path: '/x/v1/me/notifications',
    tags,
    summary: "List the caller's notifications",
    permission: 'session',
    ...paged(
      { kind: 'Notification', columns: ['time_changed'] },
      { unread: boolean.optional(), topic: commaSeparated(notificationTopics).optional() },
    ),
    success: { status: 200, schema: resultsPage(Notification) },
  },
  notification_unread_view: {
    method: 'GET',
    path: '/x/v1/me/notifications/unread',
    tags,
    summary: "Count the caller's unread notifications",
    permission: 'session',
    success: { status: 200, schema: UnreadNotifications },
  },
  notification_read: {
    method: 'POST',
    path: '/x/v1/me/notifications/read',
    tags,
    summary: 'Mark notifications as read',
    permission: 'session',
    body: NotificationsRead,
    audited: false,
    success: { status: 204 },
  },
  notification_read_all: {
    method: 'POST',
    path: '/x/v1/me/notifications/read-all',
    tags,
    summary: 'Mark all notifications up to a time as read',
    permission: 'session',
    body: NotificationsAllRead,
    audited: false,
    success: { status: 204 },
  },
  notification_settings_view: {
    method: 'GET',
    path: '/x/v1/me/notification-settings',
    tags,
    summary: "Fetch the topics of the caller's notifications",
    permission: 'session',
    success: { status: 200, schema: NotificationSettings },
  },
  notification_settings_update: {
    method: 'PUT',
    path: '/x/v1/me/notification-settings',
    tags,
    summary: "Change the topics of the caller's notifications",
    permission: 'session',
    body: NotificationSettings,
    success: { status: 200, schema: NotificationSettings },
  },
  ...usual('notification_subscription', {
    item: NotificationSubscription,
    path: '/x/v1/notification-subscriptions/{subscription}',
    params: { subscription: uuid },
  })({
    notification_subscription_list: {
      summary: 'List the subscriptions of the caller, or of a project',
      permission: { project: 'read' },
      query: { project: NameOrId.optional() },
      answer: NotificationSubscriptions,
    },
    notification_subscription_create: {
      summary: 'Have notifications sent by mail, to a webhook or to a chat',
      permission: { project: 'read', project_notification_subscription: 'create', fleet: 'list' },
      body: NotificationSubscriptionCreate,
      transaction: 'own',
      actsLater: 'account',
    },
    notification_subscription_view: {
      summary: 'Fetch a subscription',
      permission: { project_notification_subscription: 'read' },
    },
    notification_subscription_update: {
      summary: 'Change a subscription',
      permission: own,
      body: NotificationSubscriptionUpdate,
      transaction: 'own',
      actsLater: 'account',
    },
    notification_subscription_delete: { summary: 'Delete a subscription', permission: own },
    notification_subscription_test: {
      summary: 'Send a test message, or the mail that asks to confirm the address again',
      permission: own,
      actsLater: 'account',
    },
  }),
  notification_link_view: {
    method: 'GET',
    path: '/x/v1/notification-links/{token}',
    tags,
    summary: 'Describe the link of a mail, without any effect',
    permission: 'public',
    params: { token: shortText },
    success: { status: 200, schema: NotificationLinkView },
  },
  notification_link_follow: {
    method: 'POST',
    path: '/x/v1/notification-links/{token}',
    tags,
    summary: 'Confirm an address, or unsubscribe it with one click (RFC 8058)',
    permission: 'public',
    params: { token: shortText },
    audited: false,
    success: { status: 200, schema: NotificationLinkView },
  },
} as const satisfies Record<string, Operation>

import { boolean, commaSeparated, NameOrId, shortText, uuid } from '../../schema.ts'
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

const own = { project_notification_subscription: 'modify' } as const
const params = { token: shortText }

/** The notifications of a user are those that the user may read at present. */
export const notificationOperations = usual('notification_subscription', {
  item: NotificationSubscription,
  path: '/x/v1/notification-subscriptions/{subscription}',
  params: { subscription: uuid },
})({
  notification_list: {
    route: 'GET /x/v1/me/notifications',
    summary: "List the caller's notifications",
    permission: 'session',
    query: { unread: boolean.optional(), topic: commaSeparated(notificationTopics).optional() },
    pages: Notification,
    sort: { kind: 'Notification', columns: ['time_changed'] },
  },
  notification_unread_view: {
    route: 'GET /x/v1/me/notifications/unread',
    summary: "Count the caller's unread notifications",
    permission: 'session',
    answer: UnreadNotifications,
  },
  notification_read: {
    route: 'POST /x/v1/me/notifications/read',
    summary: 'Mark notifications as read',
    permission: 'session',
    body: NotificationsRead,
    audited: false,
    success: { status: 204 },
    changes: ['silo_notification'],
  },
  notification_read_all: {
    route: 'POST /x/v1/me/notifications/read-all',
    summary: 'Mark all notifications up to a time as read',
    permission: 'session',
    body: NotificationsAllRead,
    audited: false,
    success: { status: 204 },
    changes: ['silo_notification'],
  },
  notification_settings_view: {
    route: 'GET /x/v1/me/notification-settings',
    summary: "Fetch the topics of the caller's notifications",
    permission: 'session',
    answer: NotificationSettings,
  },
  notification_settings_update: {
    route: 'PUT /x/v1/me/notification-settings',
    summary: "Change the topics of the caller's notifications",
    permission: 'session',
    body: NotificationSettings,
    answer: NotificationSettings,
    changes: ['silo_notification'],
  },
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
  notification_link_view: {
    route: 'GET /x/v1/notification-links/{token}',
    summary: 'Describe the link of a mail, without any effect',
    permission: 'public',
    params,
    answer: NotificationLinkView,
  },
  notification_link_follow: {
    route: 'POST /x/v1/notification-links/{token}',
    summary: 'Confirm an address, or unsubscribe it with one click (RFC 8058)',
    permission: 'public',
    params,
    audited: false,
    success: { status: 200, schema: NotificationLinkView },
  },
})

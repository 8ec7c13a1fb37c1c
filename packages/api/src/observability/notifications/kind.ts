import type { Kind } from '../../kinds/kind.ts'
import { computing, operating } from '../../rules/roles.ts'

const common = {
  type: 'notification',
  resource: 'notifications',
  reads: ['notification_list', 'notification_unread_view'],
} as const

/** A notification about something in a project, for all who may read the project. */
export const project_notification = {
  ...common,
  words: 'notification of a project',
  access: computing,
  parent: 'project',
} as const satisfies Kind

/** A notification about a silo as a whole, such as its quotas. */
export const silo_notification = {
  ...common,
  words: 'notification of a silo',
  access: { scope: 'silo', read: ['silo.user'], list: ['silo.user'], create: [], modify: [] },
  parent: 'silo',
} as const satisfies Kind

/** A notification for operators. */
export const system_notification = {
  ...common,
  words: 'notification of the system',
  access: operating,
  parent: 'fleet',
} as const satisfies Kind

const subscription = {
  type: 'notification-subscription',
  resource: 'notification-subscriptions',
  reads: ['issue_list', 'notification_subscription_list', 'notification_subscription_view'],
} as const

/** A user's own subscription. */
export const notification_subscription = {
  ...subscription,
  words: 'notification subscription',
  access: { scope: 'silo', read: ['self'], list: ['self'], create: ['self'], modify: ['self'] },
  parent: 'silo_user',
} as const satisfies Kind

/** A subscription of a project, such as its chat room. Admins of the project change it. */
export const project_notification_subscription = {
  ...subscription,
  words: 'notification subscription of a project',
  access: {
    scope: 'project',
    read: ['project.viewer'],
    list: ['project.viewer'],
    create: ['project.admin'],
    modify: ['project.admin'],
  },
  parent: 'project',
} as const satisfies Kind

import type { Wire } from '@steading/api'
import type { TestServer } from '../harness.ts'
import { plain, type Probes } from './probe.ts'
import { parents, server } from './world.ts'

const wanted = { topics: ['quota'], severity: 'warning', digest: 'daily' } as const

/** A host that no name server knows, so that nothing is ever sent. */
const channel = { type: 'slack', url: 'https://chat.invalid/hook' } as const

const body = (place: Partial<Wire.NotificationSubscriptionCreate> = {}) => ({
  scope: 'mine' as const,
  ...wanted,
  topics: [...wanted.topics],
  channel,
  ...place,
})
const ofProject = () => body({ owner_project: parents.project, scope: 'project' })
const made = async () => ({
  params: {
    subscription: (
      await server.admin.call('notification_subscription_create', { body: ofProject() })
    ).id,
  },
})

/** A subscription for calls that keep it, by world. */
const kept = new WeakMap<TestServer, ReturnType<typeof made>>()
function keptOne(): ReturnType<typeof made> {
  const one = kept.get(server) ?? made()
  kept.set(server, one)
  return one
}

export const notificationsProbes = {
  notification_list: plain,
  notification_unread_view: plain,
  notification_read: { args: () => ({ body: { ids: [] } }) },
  notification_read_all: { args: () => ({ body: { until: new Date().toISOString() } }) },
  notification_settings_view: plain,
  notification_settings_update: { args: () => ({ body: { topics: [...wanted.topics] } }) },
  notification_subscription_list: {
    'of the caller': { args: () => ({}), about: [] },
    'of a project': { args: () => ({ query: parents }), about: ['project'] },
  },
  notification_subscription_create: {
    'for the caller': { args: () => ({ body: body() }), about: [] },
    'for a project': {
      args: () => ({ body: ofProject() }),
      about: ['project', 'project_notification_subscription'],
      bodyNames: true,
    },
    'to the fleet': { args: () => ({ body: body({ scope: 'fleet' }) }), about: ['fleet'] },
  },
  notification_subscription_view: { args: keptOne },
  notification_subscription_update: {
    args: async () => ({ ...(await keptOne()), body: { ...wanted, topics: [...wanted.topics] } }),
  },
  notification_subscription_delete: { args: made },
  notification_subscription_test: { args: keptOne },
  // The tests of notifications follow links.
  notification_link_view: { args: () => ({ params: { token: 'none' } }), passes: 404 },
  notification_link_follow: { args: () => ({ params: { token: 'none' } }), passes: 404 },
} satisfies Partial<Probes>

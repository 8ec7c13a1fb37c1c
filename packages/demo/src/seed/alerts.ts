/** Alert receivers, and a power supply that was removed and put back. */
import { must } from './cloud.ts'
import type { Moment } from './timeline.ts'

const receiver = (name: string, description: string, path: string, subscriptions: string[]) => ({
  name,
  description,
  endpoint: `https://receiver.example${path}`,
  secrets: ['a secret that only the demo knows'],
  subscriptions,
})

export const alertMoments: Moment[] = [
  {
    daysAgo: 60,
    happen: async ({ api }) =>
      must(
        await api.webhookReceiverCreate({
          body: receiver('on-call', 'Pages the operator on call', '/pager', ['hardware.**']),
        }),
      ),
  },
  {
    daysAgo: 12,
    happen: async ({ api }) =>
      must(
        await api.webhookReceiverCreate({
          body: receiver(
            'inventory',
            'Answers with errors, to show failed deliveries',
            '/status/503',
            ['hardware.power_shelf.psu.*'],
          ),
        }),
      ),
  },
  {
    daysAgo: 6,
    happen: async ({ controlPlane }) => {
      const { power } = controlPlane.engines
      await power.change('remove', 4)
      await power.change('insert', 4)
    },
  },
]

/** Schedules with a week of runs: nightly snapshots of the shop, and hours of the build machines. */
import { type Cloud, must } from './cloud.ts'
import type { Moment } from './timeline.ts'

const timeZone = 'Europe/Berlin'
const nightly = {
  path: { schedule: 'nightly' },
  query: { project: 'storefront' },
}

/** The runs of the nights that have passed since the last look are made up for by one. */
async function passNight({ api, settled }: Cloud): Promise<void> {
  const description = 'Every night, when the shop is quiet'
  must(await api.scheduleUpdate({ ...nightly, body: { description } }))
  await settled()
}

export const scheduleMoments: Moment[] = [
  {
    daysAgo: 7,
    happen: async ({ api }) =>
      must(
        await api.scheduleCreate({
          query: nightly.query,
          body: {
            name: nightly.path.schedule,
            description: '',
            action: 'snapshot',
            recurrence: { type: 'cron', expression: '0 2 * * *', timeZone },
            retention: { last: 0, daily: 3, weekly: 1, monthly: 0, yearly: 0 },
            targets: [{ kind: 'disk', disk: 'product-images' }],
          },
        }),
      ),
  },
  ...[5, 4, 2, 1].map((daysAgo): Moment => ({ daysAgo, happen: passNight })),
  {
    daysAgo: 2,
    happen: async ({ api, now }) =>
      must(
        await api.scheduleCreate({
          query: nightly.query,
          body: {
            name: 'before-the-sale',
            description: 'The last state before the prices change',
            action: 'snapshot',
            recurrence: {
              type: 'once',
              timeDue: new Date(Date.parse(now()) + 9 * 24 * 60 * 60 * 1000),
            },
            targets: [{ kind: 'disk', disk: 'product-images' }],
          },
        }),
      ),
  },
  {
    daysAgo: 4,
    happen: async ({ api }) =>
      must(
        await api.scheduleCreate({
          query: { project: 'ci-runners' },
          body: {
            name: 'runners-off-at-night',
            description: 'Saves power, once nobody builds at night any more',
            action: 'stop',
            recurrence: { type: 'cron', expression: '0 20 * * 1-5', timeZone },
            targets: [{ kind: 'instance', instance: 'runner-1' }],
            enabled: false,
          },
        }),
      ),
  },
]

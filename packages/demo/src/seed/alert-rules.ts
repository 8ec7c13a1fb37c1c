/** A rule about the shop's instances, some of which are busy at most times of the day. */
import { must } from './cloud.ts'
import type { Moment } from './timeline.ts'

export const alertRuleMoments: Moment[] = [
  {
    daysAgo: 3,
    happen: async ({ api }) =>
      must(
        await api.alertRuleCreate({
          query: { project: 'storefront' },
          body: {
            name: 'busy-instances',
            description: 'A fifth of the CPUs for ten minutes: is there a sale?',
            query:
              'get virtual_machine:vcpu_usage | filter state == "run" | align mean_within(5m) | group_by [instance_id], mean',
            comparison: 'above',
            // Nanoseconds per five seconds.
            threshold: 1e9,
            duration: 600,
            severity: 'warning',
            tagFilter: 'env:prod',
          },
        }),
      ),
  },
]

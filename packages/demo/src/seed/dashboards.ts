/** A dashboard shared by the shop's team. */
import { must } from './cloud.ts'
import type { Moment } from './timeline.ts'

const merged = 'align mean_within(5m) | group_by'

export const dashboardMoments: Moment[] = [
  {
    daysAgo: 2,
    happen: async ({ api }) =>
      must(
        await api.dashboardCreate({
          body: {
            name: 'Shop at a glance',
            description: 'Load of the shop by its customers',
            source: 'project',
            sharing: 'project',
            project: 'storefront',
            tagKeys: ['env'],
            charts: [
              {
                title: 'CPU of all instances',
                query: `get virtual_machine:vcpu_usage | filter state == "run" | ${merged} [instance_id], sum`,
                display: 'line',
                width: 'full',
              },
              {
                title: 'Bytes sent by the instance',
                query: `get instance_network_interface:bytes_sent | filter instance_id == $instance | ${merged} [instance_id], sum`,
                display: 'line',
                width: 'half',
              },
              {
                title: 'Bytes read from disks',
                query: `get virtual_disk:bytes_read | ${merged} [disk_id], sum`,
                display: 'line',
                width: 'half',
              },
            ],
          },
        }),
      ),
  },
]

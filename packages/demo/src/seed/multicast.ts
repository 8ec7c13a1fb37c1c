/** Multicast groups with members in the render farm and the shop. */
import { type Cloud, must } from './cloud.ts'
import type { Moment } from './timeline.ts'

const POOL = 'multicast-v4'

async function poolAppears({ api }: Cloud): Promise<void> {
  const path = { pool: POOL }
  const description = 'Groups that instances send to all at once'
  const body = { name: POOL, description, ipVersion: 'v4', poolType: 'multicast' } as const
  must(await api.systemIpPoolCreate({ body }))
  must(
    await api.systemIpPoolRangeAdd({ path, body: { first: '224.10.1.0', last: '224.10.1.255' } }),
  )
  must(await api.systemIpPoolSiloLink({ path, body: { silo: 'main', isDefault: true } }))
}

const memberships = [
  {
    group: 'frame-clock',
    project: 'render-farm',
    instances: ['render-01', 'render-02', 'scenes-1'],
  },
  { group: 'price-updates', project: 'storefront', instances: ['web-1', 'web-2'] },
]

async function groupsAppear({ api }: Cloud): Promise<void> {
  for (const { group, project, instances } of memberships) {
    for (const instance of instances) {
      const path = { instance, multicastGroup: group }
      must(await api.instanceMulticastGroupJoin({ path, query: { project }, body: {} }))
    }
  }
}

export const multicastMoments: Moment[] = [
  { daysAgo: 58, happen: poolAppears },
  { daysAgo: 40, happen: groupsAppear },
]

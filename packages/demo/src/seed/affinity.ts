import { type Cloud, must } from './cloud.ts'
import type { Moment } from './timeline.ts'

const query = { project: 'storefront' }

async function frontEndsStayApart({ api }: Cloud): Promise<void> {
  const description = 'No two front ends on one sled'
  const body = { name: 'web', description, policy: 'allow', failureDomain: 'sled' } as const
  must(await api.antiAffinityGroupCreate({ query, body }))
}

/** After the only member has been stopped. */
async function stagingStaysTogether({ api }: Cloud): Promise<void> {
  const description = 'The staging shop and its services'
  const body = { name: 'staging', description, policy: 'fail', failureDomain: 'sled' } as const
  must(await api.affinityGroupCreate({ query, body }))
  const path = { affinityGroup: 'staging', instance: 'staging-web' }
  must(await api.affinityGroupMemberInstanceAdd({ path, query }))
}

export const affinityMoments: Moment[] = [
  { daysAgo: 196.5, happen: frontEndsStayApart },
  { daysAgo: 0.3, happen: stagingStaysTogether },
]

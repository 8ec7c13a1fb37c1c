/** The access tokens of programs: one of a user with few rights, and those of a service account. */
import { type Cloud, must } from './cloud.ts'
import type { Moment } from './timeline.ts'

const PROJECT = 'ci-runners'

/** A program makes a call with its token. */
async function use({ controlPlane, origin }: Cloud, token: string, address: string) {
  const request = new Request(new URL('/v1/me', origin), {
    headers: { authorization: `Bearer ${token}` },
  })
  await controlPlane.fetch(request, { clientAddress: address })
}

export const tokenMoments: Moment[] = [
  {
    daysAgo: 12,
    happen: async (cloud) => {
      const { token } = must(
        await cloud.api.currentUserAccessTokenCreate({
          body: { name: 'terraform', access: 'collaborator', projects: ['storefront'] },
        }),
      )
      await use(cloud, token, '198.51.100.7')
    },
  },
  {
    daysAgo: 1,
    happen: async (cloud) => {
      const { api } = cloud
      const { id } = must(
        await api.serviceAccountCreate({
          query: { project: PROJECT },
          body: { name: 'pipeline', description: 'Builds the images and starts the runners' },
        }),
      )
      const path = { project: PROJECT }
      const { roleAssignments } = must(await api.projectPolicyView({ path }))
      const assigned = {
        identityType: 'silo_user' as const,
        identityId: id,
        roleName: 'limited_collaborator' as const,
      }
      must(
        await api.projectPolicyUpdate({
          path,
          body: { roleAssignments: [...roleAssignments, assigned] },
        }),
      )
      for (const [name, access] of [
        ['builds', 'full'],
        ['dashboard', 'read_only'],
      ] as const) {
        const { token } = must(
          await api.serviceAccountTokenCreate({
            path: { serviceAccount: id },
            body: { name, access, ttlSeconds: 90 * 86_400 },
          }),
        )
        if (name === 'builds') await use(cloud, token, '203.0.113.20')
      }
    },
  },
]

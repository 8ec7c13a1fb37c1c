/** Resources that were deleted lately and can be restored. */
import { GiB } from '@steading/api/rules'
import { must } from './cloud.ts'
import type { Moment } from './timeline.ts'

const query = { project: 'storefront' }

export const deletionMoments: Moment[] = [
  {
    daysAgo: 9,
    happen: async ({ api, settled }) => {
      for (const [name, size] of [
        ['search-index-old', 64],
        ['campaign-drafts', 16],
      ] as const) {
        must(
          await api.diskCreate({
            query,
            body: {
              name,
              description: '',
              size: size * GiB,
              diskBackend: {
                type: 'distributed',
                diskSource: { type: 'blank', blockSize: 4096 },
              },
            },
          }),
        )
      }
      must(
        await api.affinityGroupCreate({
          query,
          body: {
            name: 'old-frontends',
            description: '',
            policy: 'allow',
            failureDomain: 'sled',
          },
        }),
      )
      await settled()
    },
  },
  {
    daysAgo: 1,
    happen: async ({ api }) => {
      for (const disk of ['search-index-old', 'campaign-drafts']) {
        must(await api.diskDelete({ path: { disk }, query }))
      }
      must(await api.affinityGroupDelete({ path: { affinityGroup: 'old-frontends' }, query }))
    },
  },
]

import type { BgpAnnounceSetDetails, BgpConfig, BgpConfigDetails } from '@steading/api/client'
import { ALL_ITEMS, apiQuery, call, queryClient } from '../../data/api.ts'
import { ApiError } from '../../data/errors.ts'
import { limitConcurrency } from '../../data/throttle.ts'
import type { ListDefinition } from '../../data/lists.ts'
import { withPlainFallback } from '../../data/capabilities.ts'
import { lotQuery } from '../address-lots/queries.ts'

export const bgpConfigListDefinition: ListDefinition<'networkingBgpConfigList'> = {
  kind: 'bgp_config',
  id: 'bgp-configs',
  operation: 'networkingBgpConfigList',
  filters: {},
}

export const announceSetListDefinition: ListDefinition<'networkingBgpAnnounceSetList'> = {
  kind: 'bgp_announce_set',
  id: 'bgp-announce-sets',
  operation: 'networkingBgpAnnounceSetList',
  unpaged: true,
  filters: {},
}

const all = { query: { limit: ALL_ITEMS } }
export const allConfigsQuery = apiQuery('networkingBgpConfigList', all)
export const allAnnounceSetsQuery = apiQuery('networkingBgpAnnounceSetList', all)

const goesBy = (selector: string) => (thing: { id: string; name: string }) =>
  thing.id === selector || thing.name === selector

/** A configuration; its announced networks and number of peers are an extension. */
export type ConfigView = BgpConfig & Partial<BgpConfigDetails>

export function configQuery(bgpConfig: string) {
  const extended = apiQuery('networkingBgpConfigView', { path: { bgpConfig } })
  return withPlainFallback('lists', extended, {
    ...extended,
    async queryFn(): Promise<ConfigView> {
      const { items } = await call('networkingBgpConfigList', all)
      const config = items.find(goesBy(bgpConfig))
      if (!config) throw new ApiError('networkingBgpConfigList', 'No such configuration', 404)
      return config
    },
  })
}

/** The networks of a set, as listed by every control plane. */
export const announcementsQuery = (announceSet: string) =>
  apiQuery('networkingBgpAnnouncementList', { path: { announceSet } })

/** A set; the configurations that announce it are an extension. */
export type AnnounceSetView = Omit<BgpAnnounceSetDetails, 'bgpConfigs'> &
  Partial<Pick<BgpAnnounceSetDetails, 'bgpConfigs'>>

export function announceSetQuery(announceSet: string) {
  const extended = apiQuery('networkingBgpAnnounceSetView', { path: { announceSet } })
  return withPlainFallback('lists', extended, {
    ...extended,
    queryFn: () => plainAnnounceSet(announceSet),
  })
}

const ask = limitConcurrency(4)

/**
 * Builds a set from lists of the standard API. Announcements refer to a block, whose lot is looked
 * up among all lots.
 */
async function plainAnnounceSet(announceSet: string): Promise<AnnounceSetView> {
  const [sets, announced, { items: lots }] = await Promise.all([
    call('networkingBgpAnnounceSetList', all),
    call('networkingBgpAnnouncementList', { path: { announceSet } }),
    call('networkingAddressLotList', all),
  ])
  const set = sets.find(goesBy(announceSet))
  if (!set) throw new ApiError('networkingBgpAnnounceSetList', 'No such announce set', 404)
  const views = await Promise.all(
    announced.length > 0
      ? lots.map(({ name }) => ask(() => queryClient.fetchQuery(lotQuery(name))))
      : [],
  )
  const lotOf = new Map(
    views.flatMap(({ lot, blocks }) => blocks.map((block) => [block.id, lot] as const)),
  )
  return {
    ...set,
    announcements: announced.map((one) => ({
      ...one,
      addressLotId: lotOf.get(one.addressLotBlockId)?.id ?? one.addressLotBlockId,
      addressLotName: lotOf.get(one.addressLotBlockId)?.name ?? one.addressLotBlockId,
    })),
  }
}

export const peersQuery = apiQuery('networkingBgpStatus', {})
export const exportedQuery = apiQuery('networkingBgpExported', {})
export const importedQuery = (asn: number) => apiQuery('networkingBgpImported', { query: { asn } })
export const historyQuery = (asn: number) =>
  apiQuery('networkingBgpMessageHistory', { query: { asn } })

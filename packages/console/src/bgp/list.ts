import type { ListDefinition } from '../data/lists.ts'

export const bgpConfigListDefinition: ListDefinition<'networkingBgpConfigList'> = {
  kind: 'bgp_config',
  id: 'bgp-configs',
  operation: 'networkingBgpConfigList',
  searched: 'networkingBgpConfigSearch',
  filters: {},
}

export const announceSetListDefinition: ListDefinition<'networkingBgpAnnounceSetSearch'> = {
  kind: 'bgp_announce_set',
  id: 'bgp-announce-sets',
  // The list of the API is a plain array, which has no pages.
  operation: 'networkingBgpAnnounceSetSearch',
  searched: 'networkingBgpAnnounceSetSearch',
  filters: {},
}

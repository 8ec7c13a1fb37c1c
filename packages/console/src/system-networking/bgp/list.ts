import type { ListDefinition } from '../../data/lists.ts'

export const bgpConfigListDefinition: ListDefinition<'networkingBgpConfigList'> = {
  kind: 'bgp_config',
  id: 'bgp-configs',
  operation: 'networkingBgpConfigList',
  searched: 'networkingBgpConfigSearch',
  filters: {},
}

export const announceSetListDefinition: ListDefinition<'networkingBgpAnnounceSetList'> = {
  kind: 'bgp_announce_set',
  id: 'bgp-announce-sets',
  operation: 'networkingBgpAnnounceSetList',
  unpaged: true,
  searched: 'networkingBgpAnnounceSetSearch',
  filters: {},
}

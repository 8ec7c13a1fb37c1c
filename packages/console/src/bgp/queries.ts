import { ALL_ITEMS, apiQuery } from '../data/api.ts'

export const configQuery = (bgpConfig: string) =>
  apiQuery('networkingBgpConfigView', { path: { bgpConfig } })
export const announceSetQuery = (announceSet: string) =>
  apiQuery('networkingBgpAnnounceSetView', { path: { announceSet } })

const all = { query: { limit: ALL_ITEMS } }
export const allConfigsQuery = apiQuery('networkingBgpConfigList', all)
export const allAnnounceSetsQuery = apiQuery('networkingBgpAnnounceSetList', all)

export const peersQuery = apiQuery('networkingBgpStatus', {})
export const exportedQuery = apiQuery('networkingBgpExported', {})
export const importedQuery = (asn: number) => apiQuery('networkingBgpImported', { query: { asn } })
export const historyQuery = (asn: number) =>
  apiQuery('networkingBgpMessageHistory', { query: { asn } })

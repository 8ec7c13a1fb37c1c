import { apiQuery } from '../../data/api.ts'

export const allowListQuery = apiQuery('networkingAllowListView', {})

export const icmpQuery = apiQuery('networkingInboundIcmpView', {})
export const networkingSettingsQuery = apiQuery('systemNetworkingSettingsView', {})

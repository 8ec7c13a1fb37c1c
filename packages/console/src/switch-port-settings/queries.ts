import { ALL_ITEMS, apiQuery } from '../data/api.ts'

export const allPortSettingsQuery = apiQuery('networkingSwitchPortSettingsList', {
  query: { limit: ALL_ITEMS },
})
export const detailsQuery = (port: string) =>
  apiQuery('networkingSwitchPortSettingsDetails', { path: { port } })

import type { LoopbackAddress, LoopbackAddressDetails } from '@steading/api/client'
import { apiQuery, PAGE_SIZE } from '../../data/api.ts'
import { withPlainFallback } from '../../data/capabilities.ts'

export type LoopbackRow = LoopbackAddress & Partial<LoopbackAddressDetails>

export function loopbacksQuery(pageToken?: string) {
  const args = { query: { limit: PAGE_SIZE, pageToken } }
  return withPlainFallback(
    'lists',
    apiQuery('networkingLoopbackAddressDetailList', args),
    apiQuery('networkingLoopbackAddressList', args),
  )
}

export const racksQuery = apiQuery('rackList', {})

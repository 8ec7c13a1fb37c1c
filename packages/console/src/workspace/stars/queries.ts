import type { ThingReference } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'

export const starsQuery = apiQuery('starList', {})

/** What the user has starred, the newest first; undefined until it is known. */
export function useStars(): ThingReference[] | undefined {
  const enabled = useCapability('stars')
  return useQuery({ ...starsQuery, enabled }).data?.items
}

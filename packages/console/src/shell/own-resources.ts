import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery } from '../data/api.ts'
import { useCapability } from '../data/capabilities.ts'
import { useFleetViewer } from '../data/session.ts'
import { useStars } from '../workspace/stars/stars.tsx'
import type { QuickAction } from '../ui/quick-actions.ts'
import { recentResources } from './recent.ts'
import { entryOf } from './resource-pages.ts'

type OwnResource = QuickAction & { group: 'Starred' | 'Recent' }

/** The user's starred items, and the ones opened in this browser. */
export function useOwnResources(): OwnResource[] {
  const canFind = useCapability('find')
  const isOperator = useFleetViewer()
  const stars = useStars() ?? []
  const [visited] = useState(recentResources)
  // Recent items may be deleted or renamed, so look them up by id.
  const found = useQueries({
    queries: visited.map(({ id }) => ({
      ...apiQuery('find', { query: { text: id, limit: 1 } }),
      enabled: canFind,
      refetchOnMount: 'always' as const,
    })),
  })
  const recent = visited.flatMap((thing, index) => {
    const items = found[index]!.data?.items ?? [thing]
    return items.filter(({ id }) => id === thing.id && !stars.some((star) => star.id === id))
  })
  return [
    ...stars.map((thing) => ({ thing, group: 'Starred' as const })),
    ...recent.map((thing) => ({ thing, group: 'Recent' as const })),
  ].flatMap(({ thing, group }) => {
    const entry = entryOf(thing, isOperator)
    return entry ? [{ ...entry, group }] : []
  })
}

import { Suspense, useMemo } from 'react'
import { useCapability } from '../data/capabilities.ts'
import type { RowGroup } from '../data/joined-list.ts'
import type { ListSearch } from '../data/list-search.ts'
import type { ListDefinition } from '../data/lists.ts'
import { lazyPart } from '../ui/lazy-part.ts'
import type { Noun } from '../ui/list-controls/count-text.ts'

const GroupHead = lazyPart(() => import('../workspace/tags/group-head.tsx'))

/**
 * The groups of a list by the values of a tag: their heads, and the keys to choose from, which their
 * menu reads.
 */
export function useGrouping(
  { kind }: ListDefinition,
  parent: { project?: string },
  { group }: ListSearch,
  groups: readonly RowGroup[] | undefined,
) {
  const supported = useCapability('tagGroups')
  const { project } = parent
  const byStart = useMemo(() => {
    let start = 0
    return groups && new Map(groups.map((one) => [(start += one.items) - one.items, one]))
  }, [groups])
  const head = (index: number, noun: Noun) => {
    const one = byStart!.get(index)
    return (
      one && (
        <Suspense>
          <GroupHead tagKey={group!} noun={noun} {...one} />
        </Suspense>
      )
    )
  }
  return {
    supported,
    head: byStart && group ? head : undefined,
    readKeys: async () =>
      (await import('../workspace/tags/tags-in-use.ts')).tagKeysOf(kind, project),
  }
}

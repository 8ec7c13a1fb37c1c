import { type IssueKind, POOL_NEARLY_FULL } from '@steading/api'
import type { PoolUse } from '@steading/api/rules'
import { type FoundIssue, issue } from '../../../kernel/issues.ts'

type Kinds<K> = { full: K; nearlyFull: K }

/** The issues of pools that are full, or nearly so. */
export const fillingIssues = (
  pools: readonly { id: string; name: string }[],
  uses: ReadonlyMap<string, PoolUse>,
  kinds: Kinds<Extract<IssueKind, `${'ip' | 'subnet'}_pool_${string}`>>,
): FoundIssue[] =>
  pools.flatMap(({ id, name }) => {
    const { capacity, allocated } = uses.get(id)!
    const left = capacity - allocated
    // In thousandths, because a pool may have more addresses than a number can count.
    const isFull = allocated * 1000n >= capacity * BigInt(POOL_NEARLY_FULL * 1000)
    if (capacity === 0n || !isFull) return []
    const kind = left > 0n ? kinds.nearlyFull : kinds.full
    return [issue(kind, id, null, { name, left, capacity })]
  })

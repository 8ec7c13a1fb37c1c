import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isForbidden } from '../../data/errors.ts'
import { CellButton } from '../../ui/cells.tsx'
import { SkeletonCell } from '../../ui/table.tsx'
import { EmptyCell } from '../../ui/text.tsx'
import { tooltip } from '../../ui/tooltip.tsx'
import { PoolDetails } from './pool-details.tsx'
import { ipPoolQuery, ipPoolsQuery } from './queries.ts'

/** Users without a role on the silo may not list its pools, but may read each. */
function usePool(id: string) {
  const { data, error, isPending } = useQuery(ipPoolsQuery)
  const alone = useQuery({ ...ipPoolQuery(id), enabled: isForbidden(error) })
  return {
    pool: data?.items.find((each) => each.id === id) ?? alone.data,
    isPending: isPending || alone.isLoading,
  }
}

/** The name of a pool; opens its details. */
export function PoolCell({ id }: { id: string }) {
  const { pool, isPending } = usePool(id)
  const [open, setOpen] = useState(false)
  if (!pool) return isPending ? <SkeletonCell width="w-16" /> : <EmptyCell />
  return (
    <>
      <CellButton onClick={() => setOpen(true)}>{pool.name}</CellButton>
      {open && <PoolDetails pool={pool} onDismiss={() => setOpen(false)} />}
    </>
  )
}

/** The same inside a panel, where panels do not nest. */
export function PoolName({ id }: { id: string }) {
  const { pool, isPending } = usePool(id)
  if (!pool) return isPending ? <SkeletonCell width="w-16" /> : <EmptyCell />
  return <span {...tooltip(pool.description || undefined)}>{pool.name}</span>
}

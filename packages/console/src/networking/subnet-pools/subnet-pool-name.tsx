import { useQuery } from '@tanstack/react-query'
import { SkeletonCell } from '../../ui/table.tsx'
import { EmptyCell } from '../../ui/text.tsx'
import { tooltip } from '../../ui/tooltip.tsx'
import { subnetPoolQuery } from './queries.ts'

/** The name of a pool of the user's silo, with its description as a tooltip. */
export function SubnetPoolName({ id }: { id: string }) {
  const { data: pool, isPending } = useQuery(subnetPoolQuery(id))
  if (!pool) return isPending ? <SkeletonCell width="w-16" /> : <EmptyCell />
  return <span {...tooltip(pool.description || undefined)}>{pool.name}</span>
}

import type { SiloIpPool } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Network } from 'lucide-react'
import { useState } from 'react'
import { isForbidden } from '../../data/errors.ts'
import { CellButton } from '../../ui/cells.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { ReadOnlySideModal } from '../../ui/side-modal.tsx'
import { SkeletonCell } from '../../ui/table.tsx'
import { Tag } from '../../ui/tag.tsx'
import { EmptyCell, Truncate } from '../../ui/text.tsx'
import { tooltip } from '../../ui/tooltip.tsx'
import { ipPoolQuery, ipPoolsQuery, siloIpPoolsQuery } from './own-pools.ts'
import { VersionTag } from './pool-option.tsx'

function PoolDetails({ pool, onDismiss }: { pool: SiloIpPool; onDismiss: () => void }) {
  return (
    <ReadOnlySideModal
      title="IP pool details"
      subtitle={
        <>
          <Network size={16} strokeWidth={1.5} aria-hidden />
          <Truncate text={pool.name} />
        </>
      }
      onDismiss={onDismiss}
    >
      <PropertiesTable>
        <PropertiesTable.IdRow id={pool.id} />
        <PropertiesTable.DescriptionRow description={pool.description} />
        <PropertiesTable.Row label="IP version">
          <VersionTag version={pool.ipVersion} />
        </PropertiesTable.Row>
        <PropertiesTable.Row label="Type">
          <Tag>{pool.poolType}</Tag>
        </PropertiesTable.Row>
        <PropertiesTable.DateRow date={pool.timeCreated} label="Created" />
        <PropertiesTable.DateRow date={pool.timeModified} label="Last modified" />
      </PropertiesTable>
    </ReadOnlySideModal>
  )
}

/** Reads the pool alone for users who may not list pools. */
function usePool(id: string) {
  const { project } = useParams({ strict: false })
  const pools = project === undefined ? siloIpPoolsQuery : ipPoolsQuery(project)
  const { data, error, isPending } = useQuery<{ items: SiloIpPool[] }>(pools)
  const alone = useQuery({ ...ipPoolQuery(id), enabled: isForbidden(error) })
  return {
    pool: data?.items.find((each) => each.id === id) ?? alone.data,
    isPending: isPending || alone.isLoading,
  }
}

/** The name of a pool as a button that opens its details. */
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

/** The name of a pool as plain text, for panels, which do not nest. */
export function PoolName({ id }: { id: string }) {
  const { pool, isPending } = usePool(id)
  if (!pool) return isPending ? <SkeletonCell width="w-16" /> : <EmptyCell />
  return <span {...tooltip(pool.description || undefined)}>{pool.name}</span>
}

import type { Snapshot } from '@steading/api/client'
import {
  snapshotConsistencyMeaning,
  snapshotConsistencyText,
  snapshotIsTransitioning,
} from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../data/errors.ts'
import { CellButton } from '../../ui/cells.tsx'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { StateBadge, type StateTone } from '../../ui/state-badge.tsx'
import { SkeletonCell } from '../../ui/table.tsx'
import { Tag } from '../../ui/tag.tsx'
import { EmptyCell } from '../../ui/text.tsx'
import { tooltip } from '../../ui/tooltip.tsx'
import { diskNamesQuery, snapshotDiskQuery, type SnapshotRow } from './queries.ts'

const tones: Record<Snapshot['state'], StateTone> = {
  creating: 'changing',
  ready: 'works',
  destroyed: 'failed',
  faulted: 'failed',
}

export const SnapshotStateBadge = ({ state }: Pick<Snapshot, 'state'>) => (
  <StateBadge tone={tones[state]} transitional={snapshotIsTransitioning(state)}>
    {state}
  </StateBadge>
)

/** How consistent the file systems in a snapshot are; empty while it is being taken. */
export const SnapshotConsistency = ({ consistency }: Pick<SnapshotRow, 'consistency'>) =>
  consistency ? (
    <span {...tooltip(snapshotConsistencyMeaning(consistency))}>
      {snapshotConsistencyText(consistency)}
    </span>
  ) : (
    <EmptyCell />
  )

const DiskDetails = lazyPart(() =>
  import('../disks/disk-details.tsx').then((module) => ({ default: module.DiskDetails })),
)

const Deleted = () => <Tag>Deleted</Tag>

/** Table cell with a button that opens the details of the disk. */
export function SnapshotDiskCell({ project, diskId }: { project: string; diskId: string }) {
  const { data: some, isPending: listing } = useQuery(diskNamesQuery(project))
  const listed = some?.items.find(({ id }) => id === diskId)
  const one = useQuery({ ...snapshotDiskQuery(diskId), enabled: !listing && !listed })
  const [open, setOpen] = useState(false)
  const disk = listed ?? (isGone(one.error) ? undefined : one.data)
  if (!disk) {
    if (isGone(one.error)) return <Deleted />
    return listing || one.isPending ? <SkeletonCell /> : <EmptyCell />
  }
  return (
    <>
      <CellButton onClick={() => setOpen(true)}>{disk.name}</CellButton>
      {open && (
        <DialogPart onDismiss={() => setOpen(false)}>
          <DiskDetails disk={disk} onDismiss={() => setOpen(false)} />
        </DialogPart>
      )}
    </>
  )
}

/** The name of a snapshot's disk as plain text, for panels. */
export function SnapshotDiskName({ snapshot }: { snapshot: Pick<Snapshot, 'diskId'> }) {
  const { data, error, isPending } = useQuery(snapshotDiskQuery(snapshot.diskId))
  if (isGone(error)) return <Deleted />
  if (!data) return isPending ? <SkeletonCell /> : <EmptyCell />
  return <span className="wrap-anywhere">{data.name}</span>
}

const isGone = (error: unknown) => error instanceof ApiError && error.statusCode === 404

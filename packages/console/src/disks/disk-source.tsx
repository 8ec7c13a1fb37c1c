import type { Disk } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { ApiError } from '../data/errors.ts'
import { apiQuery } from '../data/api.ts'
import { Badge } from '../ui/badge.tsx'
import { CellButton } from '../ui/cells.tsx'
import { EmptyCell } from '../ui/text.tsx'
import { SkeletonCell } from '../ui/table.tsx'

const SourceDetails = lazy(() => import('./source-details.tsx'))

type Source = Pick<Disk, 'imageId' | 'snapshotId'>

/** The image or snapshot a disk was made from; `gone` once that is deleted. */
export function useDiskSource({ imageId, snapshotId }: Source) {
  const image = useQuery({
    ...apiQuery('imageView', { path: { image: imageId ?? '' } }, { allow404: true }),
    enabled: Boolean(imageId),
  })
  const snapshot = useQuery({
    ...apiQuery('snapshotView', { path: { snapshot: snapshotId ?? '' } }, { allow404: true }),
    enabled: Boolean(snapshotId),
  })
  const { error, isPending } = imageId ? image : snapshot
  const gone = error instanceof ApiError && error.statusCode === 404
  return {
    kind: imageId ? ('Image' as const) : snapshotId ? ('Snapshot' as const) : undefined,
    // What was read before it was deleted is not shown any more.
    image: gone ? undefined : image.data,
    snapshot: gone ? undefined : snapshot.data,
    gone,
    isPending,
  }
}

/** In tables: a button that opens what the source is. */
export function DiskSourceCell({ disk }: { disk: Source }) {
  const { kind, image, snapshot, gone, isPending } = useDiskSource(disk)
  const [open, setOpen] = useState(false)
  if (!kind) return <EmptyCell />
  if (gone) return <DeletedBadge kind={kind} />
  const source = image ?? snapshot
  if (!source) return isPending ? <SkeletonCell /> : <EmptyCell />
  return (
    <>
      <CellButton onClick={() => setOpen(true)}>{source.name}</CellButton>
      {open && (
        <Suspense>
          <SourceDetails image={image} snapshot={snapshot} onDismiss={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** In panels: plain text, after a word for what it is. */
export function DiskSourceText({ disk }: { disk: Source }) {
  const { kind, image, snapshot, gone, isPending } = useDiskSource(disk)
  if (!kind) return <EmptyCell />
  if (gone) return <DeletedBadge kind={kind} />
  const source = image ?? snapshot
  if (!source) return isPending ? <SkeletonCell /> : <EmptyCell />
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Badge icon={false}>{kind}</Badge>
      <span className="min-w-0 wrap-anywhere">{source.name}</span>
    </span>
  )
}

const DeletedBadge = ({ kind }: { kind: string }) => (
  <Badge color="neutral" icon={false}>
    {kind} deleted
  </Badge>
)

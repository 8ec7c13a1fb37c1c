import type { Disk } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../data/api.ts'
import { ApiError } from '../../data/errors.ts'
import { Tag } from '../../ui/tag.tsx'
import { SkeletonCell } from '../../ui/table.tsx'
import { EmptyCell } from '../../ui/text.tsx'
import { snapshotDetailsQuery } from '../snapshots/queries.ts'

export type Source = Pick<Disk, 'imageId' | 'snapshotId'>

/** The image or snapshot a disk was created from; `gone` once it is deleted. */
export function useDiskSource({ imageId, snapshotId }: Source) {
  const image = useQuery({
    ...apiQuery('imageView', { path: { image: imageId ?? '' } }, { allow404: true }),
    enabled: Boolean(imageId),
  })
  const snapshot = useQuery({
    ...snapshotDetailsQuery(snapshotId ?? ''),
    enabled: Boolean(snapshotId),
  })
  const { error, isPending } = imageId ? image : snapshot
  const gone = error instanceof ApiError && error.statusCode === 404
  return {
    kind: imageId ? ('Image' as const) : snapshotId ? ('Snapshot' as const) : undefined,
    // Hides data cached before the deletion.
    image: gone ? undefined : image.data,
    snapshot: gone ? undefined : snapshot.data,
    gone,
    isPending,
  }
}

/** Plain text for panels: the kind of the source, then its name. */
export function DiskSourceText({ disk }: { disk: Source }) {
  const { kind, image, snapshot, gone, isPending } = useDiskSource(disk)
  if (!kind) return <EmptyCell />
  if (gone) return <DeletedTag kind={kind} />
  const source = image ?? snapshot
  if (!source) return isPending ? <SkeletonCell /> : <EmptyCell />
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Tag>{kind}</Tag>
      <span className="min-w-0 wrap-anywhere">{source.name}</span>
    </span>
  )
}

/** Shown in place of a deleted source. */
export const DeletedTag = ({ kind }: { kind: string }) => <Tag>{kind} deleted</Tag>

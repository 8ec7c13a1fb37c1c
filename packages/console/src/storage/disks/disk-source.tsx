import type { Disk } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { apiQuery } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { isForbidden, isMissing } from '../../data/errors.ts'
import { Tag } from '../../ui/tag.tsx'
import { SkeletonCell } from '../../ui/table.tsx'
import { EmptyCell } from '../../ui/text.tsx'
import { tooltip } from '../../ui/tooltip.tsx'
import { snapshotDetailsQuery } from '../snapshots/queries.ts'

export type Source = Pick<Disk, 'imageId' | 'snapshotId'>

/**
 * The image that something in the page's project was made of. An image of the silo is found even by
 * users without a role on the silo, if the image policy permits its use.
 */
export function useSourceImage(imageId: string | null | undefined) {
  const { project } = useParams({ strict: false })
  const supported = useCapability('projectOffers')
  const path = { image: imageId ?? '' }
  const image = useQuery({
    ...apiQuery('imageView', { path }, { allow404: true }),
    enabled: Boolean(imageId),
  })
  const isHidden = supported && project !== undefined && isMissing(image.error)
  const shared = useQuery({
    ...apiQuery(
      'projectSiloImageView',
      { path: { ...path, project: project ?? '' } },
      { allow404: true },
    ),
    enabled: isHidden,
  })
  return isHidden ? shared : image
}

/** The image or snapshot a disk was created from; `gone` once it is deleted. */
export function useDiskSource({ imageId, snapshotId }: Source) {
  const image = useSourceImage(imageId)
  const snapshot = useQuery({
    ...snapshotDetailsQuery(snapshotId ?? ''),
    enabled: Boolean(snapshotId),
  })
  const { error, isPending } = imageId ? image : snapshot
  const gone = isMissing(error)
  return {
    kind: imageId ? ('Image' as const) : snapshotId ? ('Snapshot' as const) : undefined,
    // Hides data cached before the deletion.
    image: gone ? undefined : image.data,
    snapshot: gone ? undefined : snapshot.data,
    gone,
    /** It may exist, but the user may not see it. */
    hidden: isForbidden(error),
    isPending,
  }
}

/** Plain text for panels: the kind of the source, then its name. */
export function DiskSourceText({ disk }: { disk: Source }) {
  const { kind, image, snapshot, gone, hidden, isPending } = useDiskSource(disk)
  if (!kind) return <EmptyCell />
  if (gone) return <DeletedTag kind={kind} />
  if (hidden) return <HiddenTag kind={kind} />
  const source = image ?? snapshot
  if (!source) return isPending ? <SkeletonCell /> : <EmptyCell />
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Tag>{kind}</Tag>
      <span className="min-w-0 wrap-anywhere">{source.name}</span>
    </span>
  )
}

/** Shown in place of a source that the user may not see. */
export const HiddenTag = ({ kind }: { kind: string }) => (
  <span {...tooltip('Its name is not shown to you')}>
    <Tag>{kind}</Tag>
  </span>
)

/** Shown in place of a deleted source. */
export const DeletedTag = ({ kind }: { kind: string }) => <Tag>{kind} deleted</Tag>

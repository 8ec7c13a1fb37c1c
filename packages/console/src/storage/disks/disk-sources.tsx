import type { Snapshot } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { readingOf } from '../../data/reads.ts'
import { projectImagesQuery, siloImagesQuery } from '../images/queries.ts'
import type { Option } from '../../ui/form/options.tsx'
import { Size } from '../../ui/text.tsx'
import { DateTime } from '../../ui/time.tsx'
import { projectDisksQuery, projectSnapshotsQuery } from './queries.ts'

/** Snapshots and images that can be a source, project images first. */
export function useDiskSources(project: string) {
  const projectImages = useQuery(projectImagesQuery(project))
  const siloImages = useQuery(siloImagesQuery)
  const snapshots = useQuery(projectSnapshotsQuery(project))
  const disks = useQuery(projectDisksQuery(project))
  return {
    images: [...(projectImages.data?.items ?? []), ...(siloImages.data?.items ?? [])],
    readingImages: readingOf(projectImages, siloImages),
    snapshots: (snapshots.data?.items ?? []).filter(({ state }) => state === 'ready'),
    readingSnapshots: readingOf(snapshots),
    diskNames: new Map(disks.data?.items.map(({ id, name }) => [id, name])),
  }
}

export function snapshotOption(snapshot: Snapshot, diskName: string | undefined): Option {
  const { id, name, timeCreated, size } = snapshot
  return {
    value: id,
    label: name,
    content: (
      <span className="block py-0.5">
        <span className="block truncate">{name}</span>
        <span className="block truncate text-xs text-tertiary">
          <DateTime date={timeCreated} /> / {diskName ? `${diskName} / ` : ''}
          <Size bytes={size} />
        </span>
      </span>
    ),
  }
}

import type { Disk, Snapshot } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { itemsOf, readingOf } from '../../data/reads.ts'
import type { Option } from '../../ui/form/options.tsx'
import { Size, Truncate } from '../../ui/text.tsx'
import { DateTime } from '../../ui/time.tsx'
import { projectImagesQuery, siloImagesQuery } from '../images/queries.ts'
import { projectDisksQuery, projectSnapshotsQuery } from './queries.ts'

/** The option for a disk; its value is the name because disks are attached by name. */
export const diskOption = ({ name, size }: Disk): Option => ({
  value: name,
  label: name,
  content: (
    <span className="flex items-center gap-3">
      <Truncate text={name} className="flex-1" />
      <span className="text-secondary">
        <Size bytes={size} />
      </span>
    </span>
  ),
})

/** Snapshots and images to create a disk from, project images first. */
export function useDiskSources(project: string) {
  const projectImages = useQuery(projectImagesQuery(project))
  const siloImages = useQuery(siloImagesQuery(project))
  const snapshots = useQuery(projectSnapshotsQuery(project))
  const disks = useQuery(projectDisksQuery(project))
  return {
    images: [...itemsOf(projectImages), ...itemsOf(siloImages)],
    readingImages: readingOf(projectImages, siloImages),
    snapshots: itemsOf(snapshots).filter(({ state }) => state === 'ready'),
    readingSnapshots: readingOf(snapshots),
    diskNames: new Map(disks.data?.items.map(({ id, name }) => [id, name])),
  }
}

/** The option for a snapshot, with the name of its disk where snapshots of several are offered. */
export function snapshotOption(snapshot: Snapshot, diskName?: string): Option {
  const { id, name, timeCreated, size } = snapshot
  return {
    value: id,
    label: name,
    content: (
      <span className="block py-0.5">
        <Truncate text={name} />
        <span className="block truncate text-xs text-tertiary">
          <DateTime date={timeCreated} /> / {diskName ? `${diskName} / ` : ''}
          <Size bytes={size} />
        </span>
      </span>
    ),
  }
}

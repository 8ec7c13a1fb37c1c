import type { Image, Snapshot } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { Badge } from '../ui/badge.tsx'
import type { Option } from '../ui/form/listbox-field.tsx'
import { Size } from '../ui/text.tsx'
import { DateTime } from '../ui/time.tsx'
import {
  projectDisksQuery,
  projectImagesQuery,
  projectSnapshotsQuery,
  siloImagesQuery,
} from './queries.ts'

/** Snapshots and images that can be a source, project images first. */
export function useDiskSources(project: string) {
  const projectImages = useQuery(projectImagesQuery(project))
  const siloImages = useQuery(siloImagesQuery)
  const snapshots = useQuery(projectSnapshotsQuery(project))
  const disks = useQuery(projectDisksQuery(project))
  return {
    images: [...(projectImages.data?.items ?? []), ...(siloImages.data?.items ?? [])],
    imagesLoading: projectImages.isPending || siloImages.isPending,
    snapshots: (snapshots.data?.items ?? []).filter(({ state }) => state === 'ready'),
    snapshotsLoading: snapshots.isPending,
    diskNames: new Map(disks.data?.items.map(({ id, name }) => [id, name])),
  }
}

/** An image in a list of choices: its name over what it is. */
export function imageOption(image: Image, { marked = false } = {}): Option {
  const { id, name, os, version, size, projectId } = image
  return {
    value: id,
    label: name,
    content: (
      <span className="flex items-center gap-3 py-0.5">
        <span className="min-w-0 flex-1">
          <span className="block truncate">{name}</span>
          <span className="block truncate text-xs text-tertiary">
            {os && `${os} / `}
            {version && `${version} / `}
            <Size bytes={size} />
          </span>
        </span>
        {marked && <Badge icon={false}>{projectId ? 'Project image' : 'Silo image'}</Badge>}
      </span>
    ),
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

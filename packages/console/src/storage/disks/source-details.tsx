import type { Image } from '@steading/api/client'
import { ImageDetails } from '../images/image-details.tsx'
import type { SnapshotRow } from '../snapshots/queries.ts'
import { SnapshotDetails } from '../snapshots/snapshot-details.tsx'

type Props = { image?: Image; snapshot?: SnapshotRow; onDismiss: () => void }

/** The details of a disk's source, opened over the list of disks. */
export default function SourceDetails({ image, snapshot, onDismiss }: Props) {
  if (image) return <ImageDetails image={image} onDismiss={onDismiss} />
  return snapshot && <SnapshotDetails snapshot={snapshot} onDismiss={onDismiss} />
}

import type { Image, Snapshot } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { Camera, Disc3 } from 'lucide-react'
import type { ReactNode } from 'react'
import { apiQuery } from '../data/api.ts'
import { Badge } from '../ui/badge.tsx'
import { PropertiesTable } from '../ui/properties-table.tsx'
import { ReadOnlySideModal } from '../ui/side-modal.tsx'
import { SkeletonCell } from '../ui/table.tsx'
import { Size } from '../ui/text.tsx'

const icon = { size: 16, strokeWidth: 1.5, 'aria-hidden': true } as const

type Props = { image?: Image; snapshot?: Snapshot; onDismiss: () => void }

/** What a disk was made from, beside the list of disks. */
export default function SourceDetails({ image, snapshot, onDismiss }: Props) {
  if (image) return <ImageDetails image={image} onDismiss={onDismiss} />
  return snapshot && <SnapshotDetails snapshot={snapshot} onDismiss={onDismiss} />
}

const Subtitle = ({ icon: mark, children }: { icon: ReactNode; children: ReactNode }) => (
  <>
    {mark} <span className="min-w-0 truncate">{children}</span>
  </>
)

function ImageDetails({ image, onDismiss }: { image: Image; onDismiss: () => void }) {
  const { Row, IdRow, DescriptionRow, DateRow } = PropertiesTable
  return (
    <ReadOnlySideModal
      title="Image details"
      subtitle={<Subtitle icon={<Disc3 {...icon} />}>{image.name}</Subtitle>}
      onDismiss={onDismiss}
    >
      <PropertiesTable>
        <IdRow id={image.id} />
        <DescriptionRow description={image.description} />
        <Row label="Visibility">
          <Badge icon={false}>{image.projectId ? 'project' : 'silo'}</Badge>
        </Row>
        <Row label="OS">{image.os || null}</Row>
        <Row label="Version">{image.version || null}</Row>
        <Row label="Size">
          <Size bytes={image.size} />
        </Row>
        <Row label="Block size">{image.blockSize.toLocaleString()} bytes</Row>
        <DateRow date={image.timeCreated} label="Created" />
        <DateRow date={image.timeModified} label="Last Modified" />
      </PropertiesTable>
    </ReadOnlySideModal>
  )
}

function SnapshotDetails({ snapshot, onDismiss }: { snapshot: Snapshot; onDismiss: () => void }) {
  const { Row, IdRow, DescriptionRow, DateRow } = PropertiesTable
  const disk = useQuery(
    apiQuery('diskView', { path: { disk: snapshot.diskId } }, { allow404: true }),
  )
  return (
    <ReadOnlySideModal
      title="Snapshot details"
      subtitle={<Subtitle icon={<Camera {...icon} />}>{snapshot.name}</Subtitle>}
      onDismiss={onDismiss}
    >
      <PropertiesTable>
        <IdRow id={snapshot.id} />
        <DescriptionRow description={snapshot.description} />
        <Row label="State">
          <Badge color={snapshot.state === 'faulted' ? 'red' : 'accent'}>{snapshot.state}</Badge>
        </Row>
        <Row label="Size">
          <Size bytes={snapshot.size} />
        </Row>
        <Row label="Source disk">
          {disk.data?.name ??
            (disk.isPending ? <SkeletonCell /> : <Badge icon={false}>Deleted</Badge>)}
        </Row>
        <DateRow date={snapshot.timeCreated} label="Created" />
        <DateRow date={snapshot.timeModified} label="Last Modified" />
      </PropertiesTable>
    </ReadOnlySideModal>
  )
}

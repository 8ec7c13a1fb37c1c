import type { Image } from '@steading/api/client'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Disc3 } from 'lucide-react'
import { usePrefetchedQuery } from '../../data/api.ts'
import { ResourceButtons } from '../../page/resource-buttons.tsx'
import { formatNumber } from '../../ui/number.ts'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { ReadOnlySideModal } from '../../ui/side-modal.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Size, Truncate } from '../../ui/text.tsx'
import { imageQuery } from './queries.ts'

/** The panel "Image details": has its own path below the lists, and opens in place from a disk. */
export function ImageDetails({ image, onDismiss }: { image: Image; onDismiss: () => void }) {
  const { Row, IdRow, DescriptionRow, DateRow } = PropertiesTable
  return (
    <ReadOnlySideModal
      title="Image details"
      star={<ResourceButtons kind={image.projectId ? 'image' : 'silo_image'} thing={image} />}
      subtitle={
        <>
          <Disc3 size={16} strokeWidth={1.5} aria-hidden />
          <Truncate text={image.name} />
        </>
      }
      onDismiss={onDismiss}
    >
      <PropertiesTable>
        <IdRow id={image.id} />
        <DescriptionRow description={image.description} />
        <Row label="Visibility">
          <Tag>{image.projectId ? 'Project' : 'Silo'}</Tag>
        </Row>
        <Row label="OS">{image.os || null}</Row>
        <Row label="Version">{image.version || null}</Row>
        <Row label="Size">
          <Size bytes={image.size} />
        </Row>
        <Row label="Block size">{formatNumber(image.blockSize)} bytes</Row>
        <DateRow date={image.timeCreated} label="Created" />
        <DateRow date={image.timeModified} label="Last modified" />
      </PropertiesTable>
    </ReadOnlySideModal>
  )
}

export function ProjectImageView() {
  const navigate = useNavigate()
  const { project, image: name } = useParams({
    from: '/shell/projects-crumb/projects/$project/images/images/$image',
  })
  const { data: image } = usePrefetchedQuery(imageQuery(name, project))
  return (
    <ImageDetails
      image={image}
      onDismiss={() => void navigate({ to: '/projects/$project/images', params: { project } })}
    />
  )
}

export function SiloImageView() {
  const navigate = useNavigate()
  const { image: name } = useParams({ from: '/shell/silo/silo-images/images/$image' })
  const { data: image } = usePrefetchedQuery(imageQuery(name))
  return <ImageDetails image={image} onDismiss={() => void navigate({ to: '/images' })} />
}

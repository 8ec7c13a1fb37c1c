import type { Disk } from '@steading/api/client'
import { useNavigate, useParams } from '@tanstack/react-router'
import { HardDrive } from 'lucide-react'
import { usePrefetchedQuery } from '../../data/api.ts'
import { DiskSchedules } from '../../compute/schedules/covering-schedules.tsx'
import { FiringAlerts } from '../../observability/alert-rules/firing-alerts.tsx'
import { ResourceButtons } from '../../page/resource-buttons.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { formatNumber } from '../../ui/number.ts'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { ReadOnlySideModal } from '../../ui/side-modal.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Size } from '../../ui/text.tsx'
import { DiskSourceText } from './disk-source.tsx'
import { DiskStateBadge, diskTypeLabel } from './disk-state.tsx'
import { diskQuery } from './queries.ts'

/**
 * The panel "Disk details": has its own path below the list, and opens in place from an instance.
 */
export function DiskDetails({ disk, onDismiss }: { disk: Disk; onDismiss: () => void }) {
  const { Row, IdRow, DescriptionRow, DateRow } = PropertiesTable
  const { project } = useParams({ strict: false })
  return (
    <ReadOnlySideModal
      title="Disk details"
      star={<ResourceButtons kind="disk" thing={disk} />}
      subtitle={
        <>
          <HardDrive size={16} strokeWidth={1.5} aria-hidden />
          <span className="min-w-0 wrap-anywhere">{disk.name}</span>
        </>
      }
      aside={
        project !== undefined && (
          <LinkButton
            to="/projects/$project/disks/$disk/overview"
            params={{ project, disk: disk.name }}
          >
            Open page
          </LinkButton>
        )
      }
      onDismiss={onDismiss}
    >
      <FiringAlerts about={{ disk: disk.id }} />
      <PropertiesTable>
        <IdRow id={disk.id} />
        <DescriptionRow description={disk.description} />
        <Row label="Size">
          <Size bytes={disk.size} />
        </Row>
        <Row label="State">
          <DiskStateBadge state={disk.state} />
        </Row>
        <Row label="Disk type">{diskTypeLabel[disk.diskType]}</Row>
        <Row label="Source">
          <DiskSourceText disk={disk} />
        </Row>
        <Row label="Read only">
          <Tag>{disk.readOnly ? 'True' : 'False'}</Tag>
        </Row>
        <Row label="Block size">{formatNumber(disk.blockSize)} bytes</Row>
        <DiskSchedules disk={disk.id} />
        <DateRow date={disk.timeCreated} label="Created" />
        <DateRow date={disk.timeModified} label="Last modified" />
      </PropertiesTable>
    </ReadOnlySideModal>
  )
}

export function DiskView() {
  const navigate = useNavigate()
  const { project, disk: name } = useParams({
    from: '/shell/projects-crumb/projects/$project/disks/disks/$disk',
  })
  const { data: disk } = usePrefetchedQuery(diskQuery(project, name))
  return (
    <DiskDetails
      disk={disk}
      onDismiss={() => void navigate({ to: '/projects/$project/disks', params: { project } })}
    />
  )
}

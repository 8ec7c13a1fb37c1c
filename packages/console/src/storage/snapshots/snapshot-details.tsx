import { snapshotConsistencyMeaning } from '@steading/api/rules'
import { Camera } from 'lucide-react'
import { ResourceButtons } from '../../page/resource-buttons.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { ReadOnlySideModal } from '../../ui/side-modal.tsx'
import { Size, Truncate } from '../../ui/text.tsx'
import { HelpTip } from '../../ui/tooltip.tsx'
import type { SnapshotRow } from './queries.ts'
import { SnapshotConsistency, SnapshotDiskName, SnapshotStateBadge } from './snapshot-cells.tsx'

type Props = { snapshot: SnapshotRow; onDismiss: () => void }

/** The panel "Snapshot details", opened in place: a snapshot has no path of its own. */
export function SnapshotDetails({ snapshot, onDismiss }: Props) {
  const { Row, IdRow, DescriptionRow, DateRow } = PropertiesTable
  return (
    <ReadOnlySideModal
      title="Snapshot details"
      star={<ResourceButtons kind="snapshot" thing={snapshot} />}
      subtitle={
        <>
          <Camera size={16} strokeWidth={1.5} aria-hidden />
          <Truncate text={snapshot.name} />
        </>
      }
      onDismiss={onDismiss}
    >
      <PropertiesTable>
        <IdRow id={snapshot.id} />
        <DescriptionRow description={snapshot.description} />
        <Row label="State">
          <SnapshotStateBadge state={snapshot.state} />
        </Row>
        {snapshot.consistency !== undefined && (
          <Row label="Consistency">
            <SnapshotConsistency consistency={snapshot.consistency} />{' '}
            {snapshot.consistency && (
              <HelpTip>{snapshotConsistencyMeaning(snapshot.consistency)}</HelpTip>
            )}
          </Row>
        )}
        <Row label="Size">
          <Size bytes={snapshot.size} />
        </Row>
        <Row label="Source disk">
          <SnapshotDiskName snapshot={snapshot} />
        </Row>
        <DateRow date={snapshot.timeCreated} label="Created" />
        <DateRow date={snapshot.timeModified} label="Last modified" />
      </PropertiesTable>
    </ReadOnlySideModal>
  )
}

import type { SiloIpPool } from '@steading/api/client'
import { Network } from 'lucide-react'
import { Tag } from '../../ui/tag.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { ReadOnlySideModal } from '../../ui/side-modal.tsx'
import { VersionTag } from './version-tag.tsx'

export function PoolDetails({ pool, onDismiss }: { pool: SiloIpPool; onDismiss: () => void }) {
  return (
    <ReadOnlySideModal
      title="IP pool details"
      subtitle={
        <>
          <Network size={16} strokeWidth={1.5} aria-hidden />
          <span className="min-w-0 truncate">{pool.name}</span>
        </>
      }
      onDismiss={onDismiss}
    >
      <PropertiesTable>
        <PropertiesTable.IdRow id={pool.id} />
        <PropertiesTable.DescriptionRow description={pool.description} />
        <PropertiesTable.Row label="IP version">
          <VersionTag version={pool.ipVersion} />
        </PropertiesTable.Row>
        <PropertiesTable.Row label="Type">
          <Tag>{pool.poolType}</Tag>
        </PropertiesTable.Row>
        <PropertiesTable.DateRow date={pool.timeCreated} label="Created" />
        <PropertiesTable.DateRow date={pool.timeModified} label="Last modified" />
      </PropertiesTable>
    </ReadOnlySideModal>
  )
}

import type { Sled, SledDetails } from '@steading/api/client'
import { Plus, Server } from 'lucide-react'
import { ListTab } from '../page/list-tab.tsx'
import { useListPage } from '../page/use-list-page.ts'
import { pathTo } from '../shell/path-to.ts'
import type { Column } from '../ui/column.ts'
import { CellLink } from '../ui/link.tsx'
import { EmptyCell, MiddleTruncate, Size } from '../ui/text.tsx'
import { partColumn, revisionColumn } from './baseboard-columns.tsx'
import { Health, LifeState, PolicyKind, ProvisionPolicy } from './badges.tsx'
import { sledListDefinition } from './list.ts'
import { useSledActions } from './sled-actions.tsx'
import { InventoryTab } from './tab.tsx'

/** Rows of a searched list say what is used; others only what there is. */
export type SledRow = Sled & Partial<SledDetails>

const columns: Column<SledRow>[] = [
  {
    id: 'serial',
    header: 'serial number',
    sort: 'natural_name',
    cell: ({ id, baseboard }) => (
      <CellLink to="/system/inventory/sleds/$sledId/instances" params={{ sledId: id }}>
        {baseboard.serial}
      </CellLink>
    ),
  },
  {
    id: 'id',
    header: 'ID',
    width: 160,
    optional: true,
    cell: ({ id }) => <MiddleTruncate text={id} />,
  },
  { ...partColumn, sort: 'part' },
  { ...revisionColumn, optional: true },
  { id: 'slot', header: 'slot', width: 72, align: 'end', sort: 'slot', cell: ({ slot }) => slot },
  {
    id: 'policy',
    header: 'Kind',
    width: 128,
    phone: 'second',
    cell: ({ policy }) => <PolicyKind kind={policy.kind} />,
  },
  {
    id: 'provision',
    header: 'Provision policy',
    width: 160,
    phone: 'second',
    cell: ({ policy }) => <ProvisionPolicy policy={policy} />,
  },
  {
    id: 'state',
    header: 'state',
    width: 136,
    sort: 'state',
    cell: ({ state }) => <LifeState state={state} />,
  },
  {
    id: 'health',
    header: 'health',
    width: 144,
    phone: 'first',
    cell: ({ responding }) => <Health works={responding} bad="Not responding" />,
  },
  {
    id: 'threads',
    header: 'threads',
    width: 104,
    align: 'end',
    sort: 'used_hardware_threads',
    cell: ({ usedHardwareThreads, usableHardwareThreads }) =>
      usedHardwareThreads === undefined
        ? usableHardwareThreads
        : `${usedHardwareThreads} of ${usableHardwareThreads}`,
  },
  {
    id: 'memory',
    header: 'memory',
    width: 104,
    align: 'end',
    sort: 'used_physical_ram',
    cell: ({ usedPhysicalRam }) =>
      usedPhysicalRam === undefined ? <EmptyCell /> : <Size bytes={usedPhysicalRam} />,
  },
]

export function SledsTab() {
  const list = useListPage(sledListDefinition, {}, columns)
  const actions = useSledActions()
  return (
    <InventoryTab tab="sleds">
      <ListTab<SledRow & { name: string }>
        label="Sleds"
        icon={Server}
        noun={{ one: 'sled', many: 'sleds' }}
        list={list as never}
        actions={actions}
        create={{
          label: 'Add sled',
          icon: Plus,
          calls: 'rackMembershipAddSleds',
          path: pathTo('/system/inventory/waiting'),
        }}
        empty={{ title: 'No sleds found', body: 'Sleds of the rack are shown here' }}
      />
    </InventoryTab>
  )
}

import type { ListColumn } from '../../page/columns.tsx'
import type { Sled, SledDetails } from '@steading/api/client'
import { Server } from 'lucide-react'
import type { ReactNode } from 'react'
import { LazyCell } from '../../page/lazy-cell.tsx'
import { resourceList, ResourceTab } from '../../page/resource-list.tsx'
import { CellLink } from '../../ui/link.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'
import { Truncate, Size } from '../../ui/text.tsx'
import { partColumn, revisionColumn } from './baseboard-columns.tsx'
import { LifeState, PolicyKind, ProvisionPolicy } from './badges.tsx'
import { sledListDefinition, type SledUsage, sledUsageQuery } from './queries.ts'
import { useSledActions } from './sled-actions.tsx'
import { InventoryTab } from './tab.tsx'

/** A sled; rows of searched lists include its usage, otherwise it is summed over its instances. */
export type SledRow = Sled & Partial<SledDetails>

type SledUsedProps = { sled: SledRow; children: (usage: SledUsage) => ReactNode }

const SledUsed = ({ sled, children }: SledUsedProps) => {
  const { id, baseboard, usedHardwareThreads, usedPhysicalRam } = sled
  return usedHardwareThreads === undefined || usedPhysicalRam === undefined ? (
    <LazyCell what={`the usage of sled ${baseboard.serial}`} query={sledUsageQuery(id)}>
      {children}
    </LazyCell>
  ) : (
    children({ usedHardwareThreads, usedPhysicalRam })
  )
}

/** The state of a sled; a failure takes precedence over `active`. */
const SledLife = ({ state, responding }: SledRow) =>
  state === 'active' && responding === false ? (
    <StateBadge tone="failed">not responding</StateBadge>
  ) : (
    <LifeState state={state} />
  )

const columns: ListColumn<SledRow>[] = [
  {
    id: 'serial',
    header: 'serial number',
    sort: 'name',
    cell: ({ id, baseboard }) => (
      <CellLink to="/system/inventory/sleds/$sledId/instances" params={{ sledId: id }}>
        {baseboard.serial}
      </CellLink>
    ),
  },
  { id: 'id', header: 'ID', optional: true, cell: ({ id }) => <Truncate text={id} /> },
  { ...partColumn, sort: 'part' },
  revisionColumn,
  {
    id: 'slot',
    header: 'slot',
    width: 72,
    align: 'end',
    sort: 'slot',
    optional: true,
    cell: ({ slot }) => slot,
  },
  {
    id: 'policy',
    header: 'Policy',
    width: 120,
    cell: ({ policy }) => <PolicyKind kind={policy.kind} />,
  },
  {
    id: 'provision',
    header: 'Provision policy',
    width: 160,
    phone: 'second',
    cell: ({ policy, maintenance }) => (
      <ProvisionPolicy policy={policy} maintenance={maintenance} />
    ),
  },
  {
    id: 'state',
    header: 'state',
    width: 144,
    sort: 'state',
    phone: 'first',
    cell: SledLife,
  },
  {
    id: 'threads',
    header: 'threads',
    width: 104,
    align: 'end',
    sort: 'used_hardware_threads',
    cell: (sled) => (
      <SledUsed sled={sled}>
        {({ usedHardwareThreads }) => `${usedHardwareThreads} of ${sled.usableHardwareThreads}`}
      </SledUsed>
    ),
  },
  {
    id: 'memory',
    header: 'memory',
    width: 152,
    align: 'end',
    sort: 'used_physical_ram',
    phone: 'second',
    cell: (sled) => (
      <SledUsed sled={sled}>
        {({ usedPhysicalRam }) => (
          <>
            <Size bytes={usedPhysicalRam} /> of <Size bytes={sled.usablePhysicalRam} />
          </>
        )}
      </SledUsed>
    ),
  },
]

const sleds = resourceList({
  list: sledListDefinition,
  noun: 'sled',
  icon: Server,
  path: '/system/inventory/sleds',
  columns,
  create: {
    label: 'Add sled',
    calls: 'rackMembershipAddSleds',
    path: '/system/inventory/waiting',
  },
  empty: {
    title: 'No sleds found',
    body: 'Sleds of the rack are shown here',
    create: undefined,
  },
})

export const SledsTab = () => (
  <InventoryTab tab="sleds">
    <ResourceTab of={sleds} actions={useSledActions()} />
  </InventoryTab>
)

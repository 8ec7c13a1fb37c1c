import type { SwitchPortSettingsIdentity, SwitchPortSettingsSummary } from '@steading/api/client'
import { gigabits } from '@steading/api/rules'
import { createdColumn, descriptionColumn } from '../../page/columns.tsx'
import type { Column } from '../../ui/column.ts'
import { CellLink } from '../../ui/link.tsx'
import { Tag } from '../../ui/tag.tsx'

/** Port settings; rows of searched lists include a summary of their contents. */
export type SettingsRow = SwitchPortSettingsIdentity & Partial<SwitchPortSettingsSummary>

export const settingsColumns: Column<SettingsRow>[] = [
  {
    id: 'name',
    header: 'name',
    sort: 'name',
    cell: ({ name }) => (
      <CellLink to="/system/networking/port-settings/$portSettings" params={{ portSettings: name }}>
        {name}
      </CellLink>
    ),
  },
  {
    id: 'ports',
    header: 'ports',
    width: 112,
    phone: 'first',
    cell: ({ portCount }) =>
      portCount ? `${portCount} port${portCount === 1 ? '' : 's'}` : <Tag>unused</Tag>,
  },
  {
    id: 'geometry',
    header: 'geometry',
    width: 128,
    cell: ({ geometry }) => geometry,
  },
  {
    id: 'speed',
    header: 'speed',
    width: 112,
    phone: 'second',
    cell: ({ speed }) => (speed ? `${gigabits(speed)} Gb/s` : null),
  },
  {
    id: 'peers',
    header: 'BGP peers',
    width: 112,
    phone: 'second',
    cell: ({ peerCount }) => (peerCount ? `${peerCount} peer${peerCount === 1 ? '' : 's'}` : null),
  },
  descriptionColumn,
  createdColumn,
]

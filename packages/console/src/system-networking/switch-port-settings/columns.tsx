import type { SwitchPortSettingsIdentity, SwitchPortSettingsSummary } from '@steading/api/client'
import { gigabits } from '@steading/api/rules'
import type { ListColumn } from '../../page/columns.tsx'
import { Tag } from '../../ui/tag.tsx'

/** Port settings; rows of searched lists include a summary of their contents. */
export type SettingsRow = SwitchPortSettingsIdentity & Partial<SwitchPortSettingsSummary>

export const settingsColumns: ListColumn<SettingsRow>[] = [
  'name',
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
  'description',
  'created',
]

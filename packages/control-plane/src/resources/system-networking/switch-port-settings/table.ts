import type { StoredTables } from '../../../kernel/db/tables.ts'
import { kinds } from '@steading/api/rules'
import type { Wire } from '@steading/api'
import type { PortGeometry, PortSettingsUse } from '@steading/api/rules'
import type { Listed, SoftDeleted } from '../../../kernel/db/schema.ts'
import { jsonColumn } from '../../../kernel/db/json-column.ts'

export interface SwitchPortSettingsTable extends Listed, SoftDeleted {
  /** All of them are in one list, that of the fleet. */
  fleet_id: string
  geometry: PortGeometry
  /** Whether some port has them. */
  use: PortSettingsUse
  /** JSON of the parts that no table holds: a `StoredDocument`. */
  document: string
}

export interface StoredLink extends Omit<Wire.LinkConfigCreate, 'lldp'> {
  lldp: Wire.LldpLinkConfig
  /** Since when it has been like that, apart from what it says by LLDP. */
  since: string
}

export interface StoredDocument {
  links: StoredLink[]
  interfaces: (Wire.SwitchInterfaceConfigCreate & { id: string })[]
  /** Their lots follow from the rows of reserved addresses. */
  addresses: { link_name: string; address: string; vlan_id: number | null }[]
  routes: ({ link_name: string } & Wire.Route)[]
}

export const settingsDocument = jsonColumn<StoredDocument>()

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    switch_port_settings: SwitchPortSettingsTable
  }
}

export const switchPortSettingsTables: StoredTables = {
  switch_port_settings: {
    marked: true,
    names: { switch_port_settings_name: kinds.switch_port_settings.type },
  },
}

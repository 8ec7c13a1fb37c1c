import type { StoredTables } from '../../../kernel/db/tables.ts'
import { kinds } from '@steading/api/rules'
import type { Wire } from '@steading/api'
import type { PortGeometry, PortSettingsUse } from '@steading/api/rules'
import type { Listed, SoftDeleted } from '../../../kernel/db/schema.ts'
import { jsonColumn } from '../../../kernel/db/json-column.ts'

export interface SwitchPortSettingsTable extends Listed, SoftDeleted {
  /** All settings are in one list, the fleet's. */
  fleet_id: string
  geometry: PortGeometry
  /** Whether they are applied to some port. */
  use: PortSettingsUse
  /** JSON of the parts without a table: a `StoredDocument`. */
  document: string
}

export interface StoredLink extends Omit<Wire.LinkConfigCreate, 'lldp'> {
  lldp: Wire.LldpLinkConfig
  /** The time of its last change, apart from LLDP texts. */
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

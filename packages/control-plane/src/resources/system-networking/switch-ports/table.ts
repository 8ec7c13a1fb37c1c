import type { StoredTables } from '../../../kernel/db/tables.ts'
import type { SwitchSlot } from '@steading/api/rules'

/** A port of a switch, and the settings applied to it. */
export interface SwitchPortTable {
  id: string
  /** All ports are in one list, the fleet's. */
  fleet_id: string
  rack_id: string
  switch_slot: SwitchSlot
  /** `qsfp0`. */
  port_name: string
  /** `switch0/qsfp0`. */
  name: string
  name_key: string
  port_settings_id: string | null
  /** When its present settings were applied. */
  time_applied: string | null
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    switch_port: SwitchPortTable
  }
}

export const switchPortTables: StoredTables = {
  switch_port: {
    within: { rack_id: 'rack', port_settings_id: 'switch_port_settings' },
  },
}

import type { SwitchSlot } from '@steading/api/rules'

/** A port of a switch, and the settings that are applied to it. */
export interface SwitchPortTable {
  id: string
  rack_id: string
  switch_slot: SwitchSlot
  /** `qsfp0`. */
  port_name: string
  port_settings_id: string | null
  time_applied: string | null
}

declare module '../../kernel/db/schema.ts' {
  interface Database {
    switch_port: SwitchPortTable
  }
}

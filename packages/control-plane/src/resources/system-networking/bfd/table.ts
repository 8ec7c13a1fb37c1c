import type { BfdMode, SwitchSlot } from '@steading/api/rules'

export interface BfdSessionTable {
  id: string
  fleet_id: string
  switch_slot: SwitchSlot
  remote: string
  local: string | null
  detection_threshold: number
  /** Microseconds between packets from the peer. */
  required_rx: number
  mode: BfdMode
  time_created: string
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    bfd_session: BfdSessionTable
  }
}

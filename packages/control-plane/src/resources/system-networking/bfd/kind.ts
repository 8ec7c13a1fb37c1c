import type { BfdMode, SwitchSlot } from '@steading/api/rules'
import type { StoredKind } from '../../../kernel/kinds.ts'

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

export const bfd_session: StoredKind<'bfd_session'> = {
  live: '1 = 1',
}

import type { StoredTables } from '../../../kernel/db/tables.ts'
import { kinds } from '@steading/api/rules'
import type { PhysicalDiskKind, SledPolicyKind, SledState } from '@steading/api/rules'
import type { Flag } from '../../../kernel/db/schema.ts'

export interface PhysicalDiskTable {
  id: string
  fleet_id: string
  sled_id: string
  /** Its serial number. */
  name: string
  name_key: string
  vendor: string
  model: string
  form_factor: PhysicalDiskKind
  slot: number
  size: number
  /** Bytes in use. */
  used: number
  policy: SledPolicyKind
  state: SledState
  /** As reported by the engine. */
  healthy: Flag
  time_created: string
  time_modified: string
}

/** A disk whose adoption an operator has requested; the row is removed once it is adopted. */
export interface DiskAdoptionRequestTable {
  id: string
  fleet_id: string
  vendor: string
  model: string
  serial: string
  time_created: string
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    physical_disk: PhysicalDiskTable
    disk_adoption_request: DiskAdoptionRequestTable
  }
}

export const physicalDiskTables: StoredTables = {
  physical_disk: {
    within: { sled_id: 'sled' },
    names: { physical_disk_identity: kinds.physical_disk.type },
  },
  disk_replica: {
    within: { physical_disk_id: 'physical_disk' },
    origins: { disk_id: 'disk' },
  },
}

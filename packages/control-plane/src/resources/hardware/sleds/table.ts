import type { StoredTables } from '../../../kernel/db/tables.ts'
import type { CpuPlatform, ProvisionPolicy, SledPolicyKind, SledState } from '@steading/api/rules'
import type { Generated } from 'kysely'
import type { Flag } from '../../../kernel/db/schema.ts'

export interface SledTable {
  id: string
  fleet_id: string
  rack_id: string
  /** Its serial number. */
  name: string
  name_key: string
  part: string
  revision: number
  slot: number
  cpu_platform: CpuPlatform
  usable_hardware_threads: number
  usable_physical_ram: number
  policy: SledPolicyKind
  provision_policy: ProvisionPolicy
  state: SledState
  /** As reported by the engine; nothing is placed on a sled that does not respond. */
  responding: Flag
  /** Its software is being updated: nothing is placed on it, and its instances migrate away. */
  updating: Generated<Flag>
  /** Its host is proven dead: nothing is placed there, and its instances are lost. */
  fenced: Generated<Flag>
  used_threads: number
  used_ram: number
  time_created: string
  time_modified: string
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    sled: SledTable
  }
}

export const sledTables: StoredTables = {
  sled: { within: { rack_id: 'rack' } },
}

import type { Wire } from '@steading/api'
import { type Firmware, type InstanceState, kinds, type PauseReason } from '@steading/api/rules'
import type { Generated } from 'kysely'
import type { Flag, Listed, Reconciled, SoftDeleted } from '../../../kernel/db/schema.ts'
import type { StoredTables } from '../../../kernel/db/tables.ts'

export interface InstanceTable extends Listed, SoftDeleted, Reconciled {
  project_id: string
  ncpus: number
  memory: number
  hostname: string
  user_data: string
  run_state: InstanceState
  time_run_state_updated: string
  boot_disk_id: string | null
  auto_restart_policy: Wire.InstanceAutoRestartPolicy | null
  time_last_auto_restarted: string | null
  cpu_platform: Wire.InstanceCpuPlatform | null
  enable_jumbo_frames: Flag
  /** Whether it starts as soon as it has been created. */
  start_wanted: Flag
  /** Its virtual machine; null without one. Quota and a sled are reserved while it is set. */
  vm_id: string | null
  sled_id: string | null
  /** The sled it migrates to, where room is reserved too; null while it stays. */
  destination_sled_id: Generated<string | null>
  /** Id of the migration. */
  migration_id: Generated<string | null>
  /**
   * Its previous virtual machine, which has stopped or failed. The engine keeps it for its serial
   * console until the instance is started again or deleted.
   */
  last_vm_id: string | null
  /**
   * The reason of its last failure, and of the last automatic restart since then that did not
   * succeed.
   */
  failure: string | null
  restart_problem: string | null
  /** Why the hypervisor has paused its machine, and since when; null unless it is paused. */
  pause: PauseReason | null
  time_paused: string | null
  /** Of its machine; null without one, and with engines that have none. */
  firmware: Firmware | null
  /** Whether the last start of its machine found nothing to boot from. */
  nothing_to_boot: Flag
  /** Number of requested reboots, so that a repeated call of the engine reboots once. */
  reboot_count: number
  /** Rises with every write; a write based on an older one is refused. */
  generation: number
}

export interface InstanceSshKeyTable {
  instance_id: string
  ssh_key_id: string
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    instance: InstanceTable
    instance_ssh_key: InstanceSshKeyTable
  }
}

export const instanceTables: StoredTables = {
  instance: {
    marked: true,
    within: {
      project_id: 'project',
      boot_disk_id: 'disk',
      sled_id: 'sled',
      destination_sled_id: 'sled',
    },
    unfinished:
      'vm_id is not null or last_vm_id is not null or reconcile_at is not null or lease_until is not null',
    names: { instance_name: kinds.instance.type },
  },
  instance_ssh_key: {
    noun: kinds.ssh_key.words,
    within: { instance_id: 'instance' },
    origins: { ssh_key_id: 'ssh_key' },
  },
}

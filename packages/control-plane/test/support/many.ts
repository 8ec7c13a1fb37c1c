/** Rows past the API, where a test needs more of them than it could create. */
import type { Selectable } from 'kysely'
import type { Db } from '../../src/db/database.ts'
import type { DiskTable, InstanceTable } from '../../src/db/schema.ts'

export type InstanceRow = Selectable<InstanceTable>
export type DiskRow = Selectable<DiskTable>

/** A stopped instance, unless told otherwise. */
export function instanceRow(
  project_id: string,
  name: string,
  values: Partial<InstanceRow> = {},
): InstanceRow {
  const time = new Date().toISOString()
  return {
    id: crypto.randomUUID(),
    name,
    description: '',
    time_created: time,
    time_modified: time,
    time_deleted: null,
    project_id,
    ncpus: 1,
    memory: 2 ** 30,
    hostname: 'host',
    user_data: '',
    run_state: 'stopped',
    time_run_state_updated: time,
    boot_disk_id: null,
    auto_restart_policy: null,
    time_last_auto_restarted: null,
    cpu_platform: null,
    enable_jumbo_frames: 0,
    start_wanted: 0,
    vm_id: null,
    sled_id: null,
    reboot_count: 0,
    generation: 1,
    reconcile_at: null,
    ...values,
  }
}

/** A detached disk without bytes, unless told otherwise. */
export function diskRow(project_id: string, name: string, values: Partial<DiskRow> = {}): DiskRow {
  const time = new Date().toISOString()
  return {
    id: crypto.randomUUID(),
    name,
    description: '',
    time_created: time,
    time_modified: time,
    time_deleted: null,
    project_id,
    size: 2 ** 30,
    block_size: 512,
    disk_type: 'distributed',
    read_only: 0,
    snapshot_id: null,
    image_id: null,
    state: 'detached',
    instance_id: null,
    slot: null,
    importing: 0,
    has_volume: 0,
    generation: 1,
    reconcile_at: null,
    ...values,
  }
}

async function store(db: Db, table: 'instance' | 'disk', rows: object[]): Promise<void> {
  for (let start = 0; start < rows.length; start += 1000) {
    await db
      .insertInto(table)
      .values(rows.slice(start, start + 1000) as never[])
      .execute()
  }
}

export const storeInstances = (db: Db, rows: InstanceRow[]): Promise<void> =>
  store(db, 'instance', rows)
export const storeDisks = (db: Db, rows: DiskRow[]): Promise<void> => store(db, 'disk', rows)

import type { Row } from '../../../kernel/kinds.ts'
import { findRow } from '../../../kernel/db/rows.ts'
import type { Restoring } from '../../workspace/deleted-resources/restoration.ts'

/** A restored instance is stopped; its previous machine is gone or about to be. */
export async function restoreInstance(
  { work: { db, now } }: Restoring,
  row: Row<'instance'>,
): Promise<Row<'instance'>> {
  const present = await findRow(db, 'instance', row.id, 'last_vm_id', 'reconcile_at')
  return {
    ...row,
    run_state: 'stopped',
    time_run_state_updated: now.toISOString(),
    vm_id: null,
    sled_id: null,
    destination_sled_id: null,
    migration_id: null,
    start_wanted: 0,
    failure: null,
    restart_problem: null,
    pause: null,
    time_paused: null,
    last_vm_id: present?.last_vm_id ?? null,
    reconcile_at: present?.last_vm_id ? now.toISOString() : null,
  }
}

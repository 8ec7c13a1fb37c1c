import type { Row } from '../../../kernel/kinds.ts'
import type { Work } from '../../../kernel/work.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import { setRackAlarms } from '../hardware/rack-alarm.ts'

/** Expunges physical disks; the reconciliation of the rack recreates their replicas. */
export async function expungePhysicalDisks(
  { db, now, emit, services, afterCommit }: Work,
  disks: readonly Row<'physical_disk'>[],
): Promise<void> {
  for (const disk of disks) {
    if (disk.policy === 'expunged') continue
    await changeRow(db, 'physical_disk', disk.id, {
      policy: 'expunged',
      time_modified: now.toISOString(),
    })
    await emit('physical_disk', 'update', disk)
  }
  await setRackAlarms(db, now)
  afterCommit(async () => services.reconciler.wake('rack'))
}

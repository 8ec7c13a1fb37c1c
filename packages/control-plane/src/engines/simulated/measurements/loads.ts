import type { OpenDatabase } from '../../../kernel/db/database.ts'
import type { Load } from '../../../kernel/ports/hardware.ts'

/** Puts a machine under load from now on, or ends that. */
export async function setLoad(
  database: OpenDatabase,
  machine_id: string,
  { cpu, disk, network }: Load,
  now: number,
): Promise<void> {
  await database.concurrently(async (tx) => {
    await tx
      .updateTable('simulated_load')
      .set({ time_ended: now })
      .where('machine_id', '=', machine_id)
      .where('time_ended', 'is', null)
      .execute()
    if (cpu + disk + network === 0) return
    const values = { time_ended: null, cpu, disk, network }
    await tx
      .insertInto('simulated_load')
      .values({ machine_id, time_began: now, ...values })
      .onConflict((conflict) => conflict.columns(['machine_id', 'time_began']).doUpdateSet(values))
      .execute()
  })
}

import type { OpenDatabase } from '@steading/control-plane/engine'
import type { CurrentLoad, Load } from '@steading/control-plane/ports'

/**
 * Sets the load of a machine from now on, replacing any other load, or ends it.
 * @param now milliseconds
 * @param duration milliseconds after which the load ends automatically
 */
export async function setLoad(
  database: OpenDatabase,
  machine_id: string,
  { cpu, disk, network }: Load,
  now: number,
  duration?: number,
): Promise<void> {
  // Exclusive, because loads must not overlap.
  await database.transaction(async (tx) => {
    await tx
      .updateTable('simulated_load')
      .set({ time_ended: now })
      .where('machine_id', '=', machine_id)
      .where((eb) => eb.or([eb('time_ended', 'is', null), eb('time_ended', '>', now)]))
      .execute()
    if (cpu + disk + network === 0) return
    const values = {
      time_ended: duration === undefined ? null : now + duration,
      cpu,
      disk,
      network,
    }
    await tx
      .insertInto('simulated_load')
      .values({ machine_id, time_began: now, ...values })
      .onConflict((conflict) => conflict.columns(['machine_id', 'time_began']).doUpdateSet(values))
      .execute()
  })
}

/** Load of a machine at a time; undefined if there is none. */
export async function currentLoad(
  { db }: Pick<OpenDatabase, 'db'>,
  machine_id: string,
  now: number,
): Promise<CurrentLoad | undefined> {
  const row = await db
    .selectFrom('simulated_load')
    .selectAll()
    .where('machine_id', '=', machine_id)
    .where('time_began', '<=', now)
    .where((eb) => eb.or([eb('time_ended', 'is', null), eb('time_ended', '>', now)]))
    .orderBy('time_began', 'desc')
    .executeTakeFirst()
  return (
    row && {
      cpu: row.cpu,
      disk: row.disk,
      network: row.network,
      from: row.time_began,
      to: row.time_ended ?? undefined,
    }
  )
}

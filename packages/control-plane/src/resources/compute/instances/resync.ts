import { inPages } from '../../../kernel/db/pages.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import type { Machines } from '../../../kernel/ports/machines.ts'
import type { OpenDatabase } from '../../../kernel/db/database.ts'

/** Instances per page; other work has its turn between pages. */
const PAGE = 100

interface ResyncParts {
  database: OpenDatabase
  machines: Machines
}

/** Sets the alarm of instances at rest whose machine no longer runs. */
async function findChanged({ database: { db }, machines }: ResyncParts): Promise<void> {
  const resting = db
    .selectFrom('instance')
    .select(['id', 'vm_id', 'run_state', 'pause'])
    .where('run_state', 'in', ['running', 'migrating', 'repairing'])
    .where('reconcile_at', 'is', null)
    .where('lease_until', 'is', null)
  for await (const rows of inPages(resting, 'vm_id', PAGE)) {
    for (const { id, vm_id, run_state, pause: known } of rows) {
      const { phase, pause = null } = await machines.observe(vm_id!)
      if (phase === 'running' && run_state !== 'migrating' && pause === known) continue
      await db
        .updateTable('instance')
        .set({ reconcile_at: new Date(0).toISOString() })
        .where('id', '=', id)
        .where('vm_id', '=', vm_id)
        .execute()
    }
  }
}

/** Destroys machines without an instance, left behind by an interrupted step. */
async function deleteOrphanedMachines({ database: { db }, machines }: ResyncParts): Promise<void> {
  const ids = await machines.list()
  for (let at = 0; at < ids.length; at += PAGE) {
    const some = ids.slice(at, at + PAGE)
    const rows = await db
      .selectFrom('instance')
      .select(['vm_id', 'last_vm_id'])
      .where((eb) => eb.or([eb('vm_id', 'in', some), eb('last_vm_id', 'in', some)]))
      .execute()
    const owned = new Set(rows.flatMap(({ vm_id, last_vm_id }) => [vm_id, last_vm_id]))
    for (const id of some) if (!owned.has(id)) await machines.destroy(id, undefined)
    await yieldToEventLoop()
  }
}

/** Compares all instances with their machines, so that a lost wake-up only causes a delay. */
export async function resyncInstances(parts: ResyncParts): Promise<void> {
  await deleteOrphanedMachines(parts)
  await findChanged(parts)
}

import type { Wire } from '@steading/api'
import { MAINTENANCE_INSTANCES_SHOWN, maintenanceProblems } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { EngineDescription } from '../../../kernel/ports/engines.ts'
import { simulateLeaving } from '../sleds/leaving.ts'

/** The sleds that the instances of a sled would get if they left it now, one after the other. */
export async function previewMaintenance(
  db: Db,
  engine: EngineDescription,
  sled: Row<'sled'>,
): Promise<Wire.SledMaintenancePreview> {
  const { count } = await db
    .selectFrom('instance')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('sled_id', '=', sled.id)
    .executeTakeFirstOrThrow()
  const cannot = engine.lacks.includes('migration') ? maintenanceProblems.noEngine : undefined
  const instances = await simulateLeaving(db, sled, { limit: MAINTENANCE_INSTANCES_SHOWN })
  return {
    total: Number(count),
    instances: instances.map(({ row, place, serial, problem }) => ({
      id: row.id,
      name: row.name,
      silo_name: place.silo_name,
      project_name: place.project_name,
      run_state: row.run_state,
      sled_serial: cannot ? null : serial,
      problem: cannot ?? problem,
    })),
  }
}

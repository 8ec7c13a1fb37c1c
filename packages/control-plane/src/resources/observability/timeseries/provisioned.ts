import { FLEET_ID } from '@steading/api/rules'
import type { Sample } from '@steading/oxql'
import type { Db } from '../../../kernel/db/database.ts'
import { rowsOf } from '../../../kernel/kinds.ts'

/** The capacity provisioned in each silo, and in total. */
export async function provisionedSamples(db: Db, at: number): Promise<Sample[]> {
  const silos = await rowsOf(db, 'silo')
    .select(['its.id', 'its.used_cpus', 'its.used_memory', 'its.used_storage'])
    .execute()
  const sum = (of: (silo: (typeof silos)[number]) => number) =>
    silos.reduce((all, silo) => all + of(silo), 0)
  const fleet = {
    id: FLEET_ID,
    used_cpus: sum((silo) => silo.used_cpus),
    used_memory: sum((silo) => silo.used_memory),
    used_storage: sum((silo) => silo.used_storage),
  }
  return [fleet, ...silos].flatMap(({ id, used_cpus, used_memory, used_storage }) =>
    Object.entries({
      cpus_provisioned: used_cpus,
      ram_provisioned: used_memory,
      virtual_disk_space_provisioned: used_storage,
    }).map(([metric, datum]) => ({
      name: `collection_target:${metric}`,
      fields: { id },
      timestamp: at,
      datum,
    })),
  )
}

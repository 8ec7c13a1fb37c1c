import type { Wire } from '@steading/api'
import type { Db } from '../../../kernel/db/database.ts'
import { pick } from '../../../kernel/pick.ts'

/** The instances that hold room on a sled. */
export const sledInstances = (db: Db, sledId: string) =>
  db
    .selectFrom('instance')
    .innerJoin('project', 'project.id', 'instance.project_id')
    .innerJoin('silo', 'silo.id', 'project.silo_id')
    .select([
      'instance.id',
      'instance.name',
      'instance.sled_id',
      'instance.migration_id',
      'instance.run_state',
      'instance.ncpus',
      'instance.memory',
      'instance.time_created',
      'instance.time_modified',
      'project.name as project_name',
      'silo.name as silo_name',
    ])
    .where('instance.sled_id', '=', sledId)

type Found = Awaited<ReturnType<ReturnType<typeof sledInstances>['execute']>>[number]

export const toWireSledInstance = (row: Found): Wire.SledInstance => ({
  id: row.id,
  active_sled_id: row.sled_id!,
  ...pick(row, 'migration_id', 'name', 'silo_name', 'project_name'),
  state: row.run_state,
  ...pick(row, 'ncpus', 'memory', 'time_created', 'time_modified'),
})

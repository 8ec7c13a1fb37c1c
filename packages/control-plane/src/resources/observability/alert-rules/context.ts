import type { FieldCondition } from '@steading/oxql'
import type { Db } from '../../../kernel/db/database.ts'
import { projectScope } from '../timeseries/scope.ts'
import type { RuleRow } from './wire.ts'

/** The project and the silo that a rule is in. */
export interface RuleContext {
  /** Null for a rule of the system. */
  project: { id: string; name: string } | null
  silo: { id: string; name: string } | null
  /** Conditions for the series that the rule may use. */
  scope: FieldCondition[]
}

const system: RuleContext = { project: null, silo: null, scope: [] }

/** @returns undefined if the project is deleted */
export async function contextOf(
  db: Db,
  { project_id: id }: Pick<RuleRow, 'project_id'>,
): Promise<RuleContext | undefined> {
  if (id === null) return system
  const row = await db
    .selectFrom('project')
    .innerJoin('silo', 'silo.id', 'project.silo_id')
    .select(['project.name', 'silo.id as silo_id', 'silo.name as silo_name'])
    .where('project.id', '=', id)
    .where('project.time_deleted', 'is', null)
    .executeTakeFirst()
  return (
    row && {
      project: { id, name: row.name },
      silo: { id: row.silo_id, name: row.silo_name },
      scope: projectScope({ id, silo_id: row.silo_id }),
    }
  )
}

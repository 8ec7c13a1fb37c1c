import type { Db } from '../db/database.ts'
import type { EventTable } from '../db/schema.ts'

/**
 * One change of one thing, as written to the outbox. Something inside a project need not say which
 * silo that is in.
 */
export type Change = Pick<EventTable, 'resource' | 'action' | 'resource_id' | 'name'> & {
  silo_id?: string | null
  project_id?: string | null
  /** The only one who may know of it. */
  user_id?: string | null
}

export async function writeChange(db: Db, change: Change, now: Date): Promise<void> {
  await db
    .insertInto('event')
    .values((eb) => ({
      time: now.toISOString(),
      resource: change.resource,
      action: change.action,
      resource_id: change.resource_id,
      name: change.name,
      silo_id:
        change.silo_id ??
        (change.project_id
          ? eb.selectFrom('project').select('silo_id').where('id', '=', change.project_id)
          : null),
      project_id: change.project_id ?? null,
      user_id: change.user_id ?? null,
    }))
    .execute()
}

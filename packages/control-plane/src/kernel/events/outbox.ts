import { sql } from 'kysely'
import type { Actor } from '../authz/actor.ts'
import type { Caller } from '../authz/caller.ts'
import type { Db } from '../db/database.ts'
import type { EventTable } from '../db/schema.ts'

/**
 * One change of one resource, as written to the outbox. For a resource in a project, the silo may
 * be left out.
 */
export type Change = Pick<EventTable, 'resource' | 'action' | 'resource_id' | 'name'> & {
  silo_id?: string | null
  project_id?: string | null
  /** The only user who may see the change. */
  user_id?: string | null
}

/** The columns of a changed resource that its event needs; every row of a kind has them. */
export interface Changed {
  id: string
  name: string | null
  silo_id?: string | null
  project_id?: string | null
  user_id?: string | null
}

/**
 * The author of a change: a user, or the identity provider of a silo, which has no user id. Changes
 * by the system have no author.
 */
export type Author = Pick<Actor, 'displayName' | 'siloId'> & { userId: string | null }

/** The author that events and the audit log name for a caller. */
export const authorOf = (caller: Caller): Author =>
  caller.actor ?? { userId: null, displayName: 'SCIM', siloId: caller.scim.siloId }

export const changeOf = (
  resource: string,
  action: Change['action'],
  { id, name, silo_id, project_id, user_id }: Changed,
): Change => ({ resource, action, resource_id: id, name: name ?? '', silo_id, project_id, user_id })

export async function writeChange(
  db: Db,
  change: Change,
  now: Date,
  author?: Author,
): Promise<void> {
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
      author_id: author?.userId ?? null,
      author_name: author?.displayName ?? null,
      author_silo_id: author?.siloId ?? null,
    }))
    .execute()
}

/**
 * Transaction numbers belong to one PostgreSQL installation. Events restored from a dump of another
 * one are put before all later events.
 */
export async function adoptEvents(db: Db): Promise<void> {
  await db
    .updateTable('event')
    .set({ tx: 0 })
    .where(sql<boolean>`tx >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint`)
    .execute()
}

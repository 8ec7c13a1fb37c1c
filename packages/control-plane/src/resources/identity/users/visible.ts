import { type RawBuilder, sql } from 'kysely'
import { type Actor, may } from '../../../kernel/authz/actor.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { rowsOf } from '../../../kernel/kinds.ts'

/** True of all users of a silo but the service accounts of projects that the caller may not read. */
function isVisible(actor: Actor, siloId: string): RawBuilder<boolean> {
  if (may(actor, 'read', 'service_account', { siloId })) return sql<boolean>`1 = 1`
  const projects = [...actor.projectRoles.keys()].filter((projectId) =>
    may(actor, 'read', 'service_account', { siloId, projectId }),
  )
  return sql<boolean>`(its.is_service = 0 or its.id in (
    select account.id from service_account as account
    where account.project_id is null or account.project_id in (${sql.join(['', ...projects])})))`
}

/** The users of a silo that a list shows to a caller. */
export const visibleUsers = (db: Db, actor: Actor, siloId: string) =>
  rowsOf(db, 'silo_user').selectAll().where('silo_id', '=', siloId).where(isVisible(actor, siloId))

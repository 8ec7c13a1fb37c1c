import { type RawBuilder, sql } from 'kysely'
import { type Actor, may } from '../../../kernel/authz/actor.ts'

/**
 * True of the users of a silo whom a caller may know, as rows `its`: all but the service
 * accounts of projects that the caller may not read.
 */
export function isVisibleUser(actor: Actor, siloId: string): RawBuilder<boolean> {
  if (may(actor, 'read', 'service_account', { siloId })) return sql<boolean>`1 = 1`
  const projects = [...actor.projectRoles.keys()].filter((projectId) =>
    may(actor, 'read', 'service_account', { siloId, projectId }),
  )
  return sql<boolean>`(its.is_service = 0 or its.id in (
    select account.id from service_account as account
    where account.project_id is null or account.project_id in (${sql.join(['', ...projects])})))`
}

/** The parts of the audit log that callers may read without a right to the whole log. */
import { isAudited, type OperationId, operations, operationTable } from '@steading/api'
import { type KindName, kindNames } from '@steading/api/rules'
import { type Expression, sql, type SqlBool } from 'kysely'
import { type Actor, may } from '../../../kernel/authz/actor.ts'
import { maySeeAllProjects } from '../overview/projects.ts'

/** The entries that a caller may read. */
export interface ReadableLog {
  /** The same for all callers with the same entries. */
  key: string
  condition: Expression<SqlBool>
}

/** Attempts to sign in change nothing. */
const signIns = (Object.keys(operations) as OperationId[]).filter(
  (id) => operationTable[id].permission === 'public' && isAudited(operationTable[id]),
)
const isChange = sql<boolean>`operation_id not in (${sql.join(signIns)})`

const all = (key: string, ...conditions: Expression<SqlBool>[]): ReadableLog => ({
  key,
  condition: sql<boolean>`${sql.join([...conditions, isChange], sql` and `)}`,
})

/** Kinds whose resources in a project the caller may read, and so their history. */
function readableKinds(actor: Actor, projectId?: string): KindName[] {
  const scope = { siloId: actor.siloId, projectId }
  return kindNames.filter((kind) => may(actor, 'read', kind, scope))
}

export function logOfProject(actor: Actor, projectId: string): ReadableLog {
  const kinds = readableKinds(actor, projectId)
  return all(
    `project ${projectId} ${kinds.join()}`,
    sql`project_id = ${projectId}`,
    sql`target_kind in (${sql.join(kinds)})`,
  )
}

/**
 * The log of the caller's silo. Callers who may not read it see the changes in the projects that
 * they may read, as in the histories of these resources.
 */
export function logOfSilo(actor: Actor, projectIds: readonly string[]): ReadableLog {
  const { siloId } = actor
  const ofSilo = sql<boolean>`silo_id = ${siloId}`
  if (may(actor, 'list', 'audit_log', { siloId })) return all(`silo ${siloId}`, ofSilo)
  // Roles on projects differ in what they permit, but each role permits to read the same.
  const kinds = readableKinds(actor, maySeeAllProjects(actor) ? undefined : projectIds[0])
  const projects = maySeeAllProjects(actor)
    ? sql`select id from project where silo_id = ${siloId} and time_deleted is null`
    : sql`${sql.join(['', ...projectIds])}`
  const key = maySeeAllProjects(actor) ? '' : projectIds.join()
  return all(
    `silo ${siloId} ${key} ${kinds.join()}`,
    ofSilo,
    sql`project_id in (${projects})`,
    sql`target_kind in (${sql.join(kinds)})`,
  )
}

export const logOfFleet: ReadableLog = all('fleet')

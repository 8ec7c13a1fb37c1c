/** The notifications that a user, or the members of a project, may read. */
import type { IssueKind } from '@steading/api'
import { FLEET_ID, notificationsOf, type SubscriptionScopeName } from '@steading/api/rules'
import { type RawBuilder, sql } from 'kysely'
import { type Actor, may } from '../../../kernel/authz/actor.ts'

const kindsOfSilos = (Object.keys(notificationsOf) as IssueKind[]).filter(
  (kind) => notificationsOf[kind].level === 'silo',
)

/** Whether a user of a silo may know of an issue of the silo itself. */
function mayKnow(actor: Actor, kind: IssueKind, siloId: string): boolean {
  const isCertificate = notificationsOf[kind].topic === 'certificate'
  return may(actor, 'list', isCertificate ? 'certificate' : 'silo_notification', { siloId })
}

const inList = (column: string, values: readonly string[]) =>
  sql<boolean>`${sql.ref(column)} in (${sql.join(['', ...values])})`

/** True of the notifications of projects that a user may read, in the user's silo. */
function ofProjects(actor: Actor): RawBuilder<boolean> {
  const { siloId } = actor
  if (may(actor, 'read', 'project_notification', { siloId })) {
    return sql<boolean>`silo_id = ${siloId} and project_id is not null`
  }
  const ids = [...actor.projectRoles.keys()].filter((projectId) =>
    may(actor, 'read', 'project_notification', { siloId, projectId }),
  )
  return sql<boolean>`silo_id = ${siloId} and ${inList('project_id', ids)}`
}

/** True of the notifications of the user's silo itself. */
function ofSilo(actor: Actor): RawBuilder<boolean> {
  const { siloId } = actor
  const kinds = kindsOfSilos.filter((kind) => mayKnow(actor, kind, siloId))
  return sql<boolean>`silo_id = ${siloId} and project_id is null and ${inList('kind', kinds)}`
}

const isOperator = (actor: Actor): boolean => may(actor, 'list', 'system_notification', {})
const ofSystem = sql<boolean>`fleet_id = ${FLEET_ID}`

/** Conditions that exclude each other; the notifications of each can be read along an index. */
export type Sources = RawBuilder<boolean>[]

/** All notifications that a user may read of a scope, at present. */
export function sourcesFor(
  actor: Actor,
  scope: SubscriptionScopeName,
  projectId?: string | null,
): Sources {
  switch (scope) {
    case 'mine':
      return [ofProjects(actor), ofSilo(actor), ...(isOperator(actor) ? [ofSystem] : [])]
    case 'project': {
      const { siloId } = actor
      const readable =
        projectId && may(actor, 'read', 'project_notification', { siloId, projectId })
      return readable ? sourcesOfProject(projectId, siloId) : []
    }
    case 'silo':
      return [ofProjects(actor), ofSilo(actor)]
    case 'fleet':
      return isOperator(actor) ? [sql<boolean>`1 = 1`] : []
  }
}

/** The notifications of a project, for its members. */
export const sourcesOfProject = (projectId: string, siloId: string): Sources => [
  sql<boolean>`silo_id = ${siloId} and project_id = ${projectId}`,
]

/** A table with the notifications of the sources. */
export const rowsIn = (sources: Sources): RawBuilder<unknown> =>
  sources.length === 0
    ? sql`select * from notification where 1 = 0`
    : sql.join(
        sources.map((source) => sql`select * from notification where ${source}`),
        sql` union all `,
      )

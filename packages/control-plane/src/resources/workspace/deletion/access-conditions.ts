/**
 * Conditions for the resources that a caller may read or change, in other projects and in the silo.
 */
import type { Action, JobResourceKind } from '@steading/api/rules'
import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely'
import { type Actor, may } from '../../../kernel/authz/actor.ts'
import { accessOf, type RelatedTables } from './deletable-rows.ts'

type Condition = (
  eb: ExpressionBuilder<RelatedTables, 'its'>,
) => ExpressionWrapper<RelatedTables, 'its', SqlBool>

/**
 * True of the resources of a kind, in projects and in the silo, on which a caller may do an action.
 */
export const isPermitted =
  (actor: Actor, action: Action, kind: JobResourceKind): Condition =>
  (eb) => {
    const { siloId } = actor
    const ofProjects = inProjects(actor, action, kind)
    const ofSilo = accessOf({ kind, project_id: null })
    if (ofSilo === kind) return ofProjects(eb)
    // Must not be null, because the negation of null is also null.
    const inside = eb.and([eb('its.project_id', 'is not', null), ofProjects(eb)])
    return may(actor, action, ofSilo, { siloId })
      ? eb.or([inside, eb.and([eb('its.project_id', 'is', null), eb('its.silo_id', '=', siloId)])])
      : inside
  }

/** True of resources in the projects where a caller may do an action on resources of a kind. */
const inProjects =
  (actor: Actor, action: Action, kind: JobResourceKind): Condition =>
  (eb) => {
    const { siloId } = actor
    const own = eb.selectFrom('project').select('project.id').where('silo_id', '=', siloId)
    if (may(actor, action, kind, { siloId })) return eb('its.project_id', 'in', own)
    const some = [...actor.projectRoles.keys()].filter((projectId) =>
      may(actor, action, kind, { siloId, projectId }),
    )
    return some.length > 0 ? eb('its.project_id', 'in', some) : eb.or([])
  }

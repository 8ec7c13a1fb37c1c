/**
 * Conditions for the things that a caller may read or change, in other projects and in the silo.
 */
import type { Action } from '@steading/api/rules'
import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely'
import { type Actor, may } from '../../kernel/authz/actor.ts'
import type { ItsTables } from './things.ts'

type Condition = (
  eb: ExpressionBuilder<ItsTables, 'its'>,
) => ExpressionWrapper<ItsTables, 'its', SqlBool>

/** True of things in projects where a caller may do an action on things of a kind. */
const inProjects =
  (actor: Actor, action: Action, kind: 'disk' | 'image'): Condition =>
  (eb) => {
    const { siloId } = actor
    const own = eb.selectFrom('project').select('project.id').where('silo_id', '=', siloId)
    if (may(actor, action, kind, { siloId })) return eb('its.project_id', 'in', own)
    const some = [...actor.projectRoles.keys()].filter((projectId) =>
      may(actor, action, kind, { siloId, projectId }),
    )
    return some.length > 0 ? eb('its.project_id', 'in', some) : eb.or([])
  }

/** True of disks in any project that a caller may read. */
export const readableDisk = (actor: Actor): Condition => inProjects(actor, 'read', 'disk')

/** True of images of projects and of the silo on which a caller may do an action. */
export const imageFor =
  (actor: Actor, action: 'read' | 'modify'): Condition =>
  (eb) => {
    const { siloId } = actor
    // Must not be null, because the negation of null is null, too.
    const ofProjects = eb.and([
      eb('its.project_id', 'is not', null),
      inProjects(actor, action, 'image')(eb),
    ])
    return may(actor, action, 'silo_image', { siloId })
      ? eb.or([
          ofProjects,
          eb.and([eb('its.project_id', 'is', null), eb('its.silo_id' as 'its.id', '=', siloId)]),
        ])
      : ofProjects
  }

/** Whose business things in other projects, and those of the silo, are. */
import type { Action } from '@steading/api/rules'
import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely'
import { type Actor, may } from '../../kernel/authz/actor.ts'
import type { ItsTables } from './things.ts'

type Condition = (
  eb: ExpressionBuilder<ItsTables, 'its'>,
) => ExpressionWrapper<ItsTables, 'its', SqlBool>

/** True of things in projects where somebody may do this to things of a kind. */
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

/** True of disks that somebody may read, wherever they are. */
export const readableDisk = (actor: Actor): Condition => inProjects(actor, 'read', 'disk')

/** True of images of projects and of the silo that somebody may do this to. */
export const imageFor =
  (actor: Actor, action: 'read' | 'modify'): Condition =>
  (eb) => {
    const { siloId } = actor
    // Never neither true nor false: that would be lost when it is negated.
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

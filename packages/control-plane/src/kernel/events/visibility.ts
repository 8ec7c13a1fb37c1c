import { type KindName, kindNames, kinds, kindTable } from '@steading/api/rules'
import { type Actor, may, ownsAs } from '../authz/actor.ts'
import type { EventTable } from '../db/schema.ts'

type Level = 'project' | 'silo' | 'fleet'

/** Resource and level of an event → the kind of resource it is about. */
const kindsByLevel = new Map<string, KindName>(
  kindNames
    // Events of resources that belong to a user have a `user_id`, and are not subject to the
    // permission matrix.
    .filter((kind) => kindTable[kind].parent !== 'silo_user')
    .map((kind) => [`${kindTable[kind].resource} ${kindTable[kind].access.scope}`, kind]),
)

/** A policy can be read by callers who can read the resource it applies to. */
const readAs = (resource: string, level: Level): KindName | undefined =>
  resource === kinds.policy.resource ? level : kindsByLevel.get(`${resource} ${level}`)

/** The columns of an event that decide who may see it. */
export type EventScope = Pick<EventTable, 'resource' | 'silo_id' | 'project_id' | 'user_id'>

/**
 * Whether a caller may see an event: only its user if it has one, otherwise the callers who may
 * read the resource it is about. Events of undeclared kinds are hidden from everyone.
 */
export function maySeeEvent(
  actor: Actor,
  { resource, silo_id, project_id, user_id }: EventScope,
): boolean {
  if (user_id !== null) return ownsAs(actor, user_id)
  const level = project_id !== null ? 'project' : silo_id !== null ? 'silo' : 'fleet'
  const kind = readAs(resource, level)
  const scope = { siloId: silo_id ?? undefined, projectId: project_id ?? undefined }
  return kind !== undefined && may(actor, 'read', kind, scope)
}

/** Whether a caller may see who did something: callers who may list the users of that silo. */
export const maySeeUserOf = (actor: Actor, siloId: string | null): boolean =>
  siloId !== null && may(actor, 'list', 'silo_user', { siloId })

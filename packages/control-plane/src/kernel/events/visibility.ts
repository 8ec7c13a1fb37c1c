import { type KindName, kindNames, kinds, kindTable } from '@steading/api/rules'
import { type Actor, may } from '../authz/actor.ts'
import type { EventTable } from '../db/schema.ts'

type Place = 'project' | 'silo' | 'fleet'

/** Resource and place of an event → the kind of thing that it is about. */
const kindsByPlace = new Map<string, KindName>(
  kindNames
    // Events of things that belong to a user have a `user_id`, and do not go by the matrix.
    .filter((kind) => kindTable[kind].parent !== 'silo_user')
    .map((kind) => [`${kindTable[kind].resource} ${kindTable[kind].access.scope}`, kind]),
)

/** A policy can be read by callers who can read the thing that it is about. */
const readAs = (resource: string, place: Place): KindName | undefined =>
  resource === kinds.policy.resource ? place : kindsByPlace.get(`${resource} ${place}`)

/** The columns of an event that decide who may know of it. */
export type EventScope = Pick<EventTable, 'resource' | 'silo_id' | 'project_id' | 'user_id'>

/**
 * Whether a caller may know of an event: only its user if it has one, otherwise the callers who may
 * read the thing it is about. Events of a kind that is not declared are hidden from all.
 */
export function mayKnow(
  actor: Actor,
  { resource, silo_id, project_id, user_id }: EventScope,
): boolean {
  if (user_id !== null) return user_id === actor.userId
  const place = project_id !== null ? 'project' : silo_id !== null ? 'silo' : 'fleet'
  const kind = readAs(resource, place)
  const scope = { siloId: silo_id ?? undefined, projectId: project_id ?? undefined }
  return kind !== undefined && may(actor, 'read', kind, scope)
}

/** Whether a caller may know who did something: those who may list the users of that silo. */
export const mayKnowUserOf = (actor: Actor, siloId: string | null): boolean =>
  siloId !== null && may(actor, 'list', 'silo_user', { siloId })

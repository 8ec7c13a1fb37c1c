/** The projects of an overview: those that the caller may read. */
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import { type Actor, may } from '../../../kernel/authz/actor.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { rowsOf } from '../../../kernel/kinds.ts'

/** Whether the roles of a caller on the silo cover all of its projects. */
export const maySeeAllProjects = (actor: Actor): boolean =>
  may(actor, 'read', 'project', { siloId: actor.siloId })

/** Ids of the live projects of the caller's silo that the caller may read. */
export async function readableProjects(db: Db, actor: Actor): Promise<string[]> {
  const { siloId } = actor
  const ofSilo = rowsOf(db, 'project').select('its.id').where('its.silo_id', '=', siloId)
  const ids = [...actor.projectRoles.keys()].filter((projectId) =>
    may(actor, 'read', 'project', { siloId, projectId }),
  )
  if (maySeeAllProjects(actor)) return (await ofSilo.execute()).map(({ id }) => id)
  if (ids.length === 0) return []
  return (await ofSilo.where('its.id', 'in', ids).execute()).map(({ id }) => id)
}

/** Projects per statement; other calls have their turn in between. */
const AT_ONCE = 100

/** Works with some projects at a time. */
export async function inParts<T>(
  projectIds: readonly string[],
  work: (some: readonly string[]) => Promise<T>,
): Promise<T[]> {
  const results: T[] = []
  for (let from = 0; from < projectIds.length; from += AT_ONCE) {
    if (from > 0) await yieldToEventLoop()
    results.push(await work(projectIds.slice(from, from + AT_ONCE)))
  }
  return results
}

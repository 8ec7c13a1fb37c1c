import type { tables, Wire } from '@steading/api'
import { kindTable, STARS_MAX } from '@steading/api/rules'
import type { Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { rowsOf } from '../../../kernel/kinds.ts'
import { requireReadable, readableById } from '../../../kernel/readable-resources.ts'
import type { Work } from '../../../kernel/work.ts'

type Reading = Pick<Work, 'db' | 'actor'>

/** The caller's stars, the newest first. */
const starsOf = ({ db, actor }: Reading) =>
  rowsOf(db, 'star')
    .selectAll()
    .where('its.user_id', '=', actor.userId)
    .orderBy('its.time_created', 'desc')
    .orderBy('its.id')
    .execute()

/** The starred resources that the caller may read. */
async function starred(ctx: Reading): Promise<Wire.ResourceReference[]> {
  const stars = await starsOf(ctx)
  const things = new Map<string, Wire.ResourceReference>()
  for (const kind of new Set(stars.map((star) => star.kind))) {
    const ids = stars.filter((star) => star.kind === kind).map(({ id }) => id)
    for (const thing of await readableById(ctx, kind, ids)) things.set(thing.id, thing)
  }
  return stars.flatMap(({ id }) => things.get(id) ?? [])
}

/** Records a change of a user's stars, which only that user may see. */
const changed = ({ emit, actor }: Work, action: 'create' | 'delete', id: string, name: string) =>
  emit('star', action, { id, name, silo_id: actor.siloId, user_id: actor.userId })

const remove = ({ db, actor }: Reading, ids: string[]) =>
  db
    .deleteFrom('star')
    .where('user_id', '=', actor.userId)
    .where('id', 'in', ids)
    .returning('id')
    .execute()

export const starHandlers: Handlers<typeof tables.starOperations> = {
  star_list: async (ctx) => ({ items: await starred(ctx) }),

  async star_create(ctx) {
    const { kind, id } = ctx.body
    const thing = await requireReadable(ctx, kind, id)
    const stars = await starsOf(ctx)
    if (stars.some((star) => star.id === id)) return thing
    if (stars.length >= STARS_MAX) {
      // Stars of resources that are gone, or no longer readable, make room.
      const seen = new Set((await starred(ctx)).map((each) => each.id))
      const gone = stars.filter((star) => !seen.has(star.id)).map((star) => star.id)
      if (gone.length === 0) throw fail.invalidRequest(`at most ${STARS_MAX} things can be starred`)
      await remove(ctx, gone)
    }
    const star = { id, user_id: ctx.actor.userId, kind, time_created: ctx.now.toISOString() }
    await ctx.db.insertInto('star').values(star).execute()
    await changed(ctx, 'create', id, thing.name)
    return thing
  },

  async star_delete(ctx) {
    const { thing } = ctx.params
    if ((await remove(ctx, [thing])).length === 0) {
      throw fail.notFoundById(kindTable.star.type, thing)
    }
    await changed(ctx, 'delete', thing, '')
  },
}

import type { Selectable } from 'kysely'
import { authorize } from '../../kernel/authz/authorize.ts'
import type { Context } from '../../kernel/context.ts'
import type { SiloGroupTable } from '../../kernel/db/schema.ts'
import { fail } from '../../kernel/errors.ts'

export type GroupRow = Selectable<SiloGroupTable>

/**
 * A group of the caller's silo.
 * @throws ApiError its 404
 */
export async function lookupGroup(ctx: Context, id: string): Promise<GroupRow> {
  const { siloId } = ctx.actor
  const missing = () => fail.notFoundById('silo-group', id)
  const group = await ctx.db
    .selectFrom('silo_group')
    .selectAll()
    .where('id', '=', id.toLowerCase())
    .where('silo_id', '=', siloId)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  if (!group) throw missing()
  authorize(ctx, 'silo_group', { siloId }, missing)
  return group
}

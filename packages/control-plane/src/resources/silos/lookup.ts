import { isUuid } from '@steading/api/rules'
import type { Selectable } from 'kysely'
import { authorize } from '../../kernel/authz/authorize.ts'
import type { Context } from '../../kernel/context.ts'
import type { SiloTable } from '../../kernel/db/schema.ts'
import { fail } from '../../kernel/errors.ts'

export type SiloRow = Selectable<SiloTable>

/**
 * The silo a caller names, checked against what the operation needs of silos.
 * @throws ApiError the silo's 404 if it does not exist or may not be seen, 403
 */
export async function lookupSilo(ctx: Context, selector: string): Promise<SiloRow> {
  const byId = isUuid(selector)
  const missing = () =>
    byId ? fail.notFoundById('silo', selector) : fail.notFoundByName('silo', selector)
  const query = ctx.db.selectFrom('silo').selectAll().where('time_deleted', 'is', null)
  const silo = await (
    byId ? query.where('id', '=', selector.toLowerCase()) : query.where('name', '=', selector)
  ).executeTakeFirst()
  if (!silo) throw missing()
  authorize(ctx, 'silo', { siloId: silo.id }, missing)
  return silo
}

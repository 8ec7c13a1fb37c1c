import { lookup, type LookupContext } from '../../../kernel/lookup.ts'
import type { Row } from '../../../kernel/kinds.ts'

export type ServiceAccountRow = Row<'service_account'>

/** The kind of a service account, which has its own row of the permission matrix. */
export const serviceAccountKind = ({ project_id }: Pick<ServiceAccountRow, 'project_id'>) =>
  project_id === null ? 'silo_service_account' : 'service_account'

/** @throws ApiError 404, or 403 */
export async function lookupAccount(
  ctx: LookupContext<'service_account' | 'silo_service_account'>,
  id: string,
): Promise<ServiceAccountRow> {
  const found = await ctx.db
    .selectFrom('service_account')
    .select('project_id')
    .where('id', '=', id)
    .executeTakeFirst()
  return lookup(ctx, found ? serviceAccountKind(found) : 'service_account', id)
}

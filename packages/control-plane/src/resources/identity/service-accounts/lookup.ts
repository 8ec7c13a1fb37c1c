import type { Row } from '../../../kernel/kinds.ts'
import type { LookupContext } from '../../../kernel/lookup.ts'
import { lookupInPlace } from '../../tenancy/projects/lookup-in-place.ts'

export type ServiceAccountRow = Row<'service_account'>

/** The kind of a service account, which has its own row of the permission matrix. */
export const serviceAccountKind = ({ project_id }: Pick<ServiceAccountRow, 'project_id'>) =>
  project_id === null ? 'silo_service_account' : 'service_account'

/** @throws ApiError 404, or 403 */
export const lookupAccount = (
  ctx: LookupContext<'service_account' | 'silo_service_account'>,
  id: string,
): Promise<ServiceAccountRow> => lookupInPlace(ctx, 'service_account', serviceAccountKind, id)

import { apiQuery } from '../../data/api.ts'
import type { ListDefinition } from '../../data/lists.ts'

/** The kind of the service accounts of a project, or of the silo. */
export const accountKind = (project: string | null | undefined) =>
  project ? ('service_account' as const) : ('silo_service_account' as const)

export const accountListDefinition: ListDefinition<'serviceAccountSearch'> = {
  kind: 'service_account',
  id: 'service-accounts',
  operation: 'serviceAccountSearch',
}

export const siloAccountListDefinition: ListDefinition<'serviceAccountSearch'> = {
  ...accountListDefinition,
  kind: 'silo_service_account',
  id: 'silo-service-accounts',
}

export const accountQuery = (serviceAccount: string) =>
  apiQuery('serviceAccountView', { path: { serviceAccount } })

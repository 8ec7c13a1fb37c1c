import { apiQuery } from '../../data/api.ts'
import type { ListDefinition } from '../../data/lists.ts'

const operation = 'serviceAccountSearch'

export const accountListDefinition: ListDefinition<'serviceAccountSearch'> = {
  kind: 'service_account',
  id: 'service-accounts',
  operation,
  searched: operation,
}

export const siloAccountListDefinition: ListDefinition<'serviceAccountSearch'> = {
  ...accountListDefinition,
  kind: 'silo_service_account',
  id: 'silo-service-accounts',
}

export const accountQuery = (serviceAccount: string) =>
  apiQuery('serviceAccountView', { path: { serviceAccount } })

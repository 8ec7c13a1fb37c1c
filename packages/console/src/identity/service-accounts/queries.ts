import { ALL_ITEMS, apiQuery, PAGE_SIZE } from '../../data/api.ts'
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

/** All service accounts of a project, or of the silo. */
export const accountsQuery = (project?: string) =>
  apiQuery(operation, { query: { project, limit: ALL_ITEMS } })

export const accountQuery = (serviceAccount: string) =>
  apiQuery('serviceAccountView', { path: { serviceAccount } })

export const accountTokensQuery = (serviceAccount: string) =>
  apiQuery('serviceAccountTokenList', {
    path: { serviceAccount },
    query: { limit: PAGE_SIZE * 2, sortBy: 'time_and_id_descending' },
  })

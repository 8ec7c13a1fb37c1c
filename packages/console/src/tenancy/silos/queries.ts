import { useParams } from '@tanstack/react-router'
import { apiQuery } from '../../data/api.ts'
import type { ListDefinition } from '../../data/lists.ts'

export const siloListDefinition: ListDefinition<'siloList'> = {
  kind: 'silo',
  id: 'silos',
  operation: 'siloList',
  searched: 'siloSearch',
  filters: { identity_mode: ['local_only', 'saml_jit', 'saml_scim'] },
}

export const siloQuery = (silo: string) => apiQuery('siloView', { path: { silo } })

/** A silo's use of its quotas. */
export const siloUtilizationQuery = (silo: string) =>
  apiQuery('siloUtilizationView', { path: { silo } })

/** The page's silo in the address: its name, or its ID. */
export const useSiloParam = (): string =>
  useParams({ from: '/shell/system/silos-crumb/system/silos/$silo' }).silo

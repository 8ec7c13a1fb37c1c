import type { ListDefinition } from '../../data/lists.ts'

export const siloListDefinition: ListDefinition<'siloList'> = {
  kind: 'silo',
  id: 'silos',
  operation: 'siloList',
  searched: 'siloSearch',
  filters: { identity_mode: ['local_only', 'saml_jit', 'saml_scim'] },
}

import { useParams } from '@tanstack/react-router'
import { apiQuery } from '../../data/api.ts'
import type { ListDefinition } from '../../data/lists.ts'
import { ipPoolKind, poolsOfSiloQuery } from '../../networking/pools/pool-kind.ts'
import type { TabsDefinition } from '../../page/page-tabs.tsx'

export const siloListDefinition: ListDefinition<'siloList'> = {
  kind: 'silo',
  id: 'silos',
  operation: 'siloList',
  filters: { identity_mode: ['local_only', 'saml_jit', 'saml_scim'] },
}

export const siloTabs = {
  id: 'silo',
  label: 'Silo',
  contents: 'cards',
  tabs: [
    { label: 'Identity providers', to: '/system/silos/$silo/idps' },
    { label: 'IP pools', to: '/system/silos/$silo/ip-pools' },
    { label: 'Subnet pools', to: '/system/silos/$silo/subnet-pools' },
    { label: 'Quotas', to: '/system/silos/$silo/quotas' },
    { label: 'Users', to: '/system/silos/$silo/users', needs: 'users' },
    { label: 'Access', to: '/system/silos/$silo/access' },
    { label: 'Fleet roles', to: '/system/silos/$silo/fleet-roles' },
    { label: 'SCIM', to: '/system/silos/$silo/scim' },
  ],
} as const satisfies TabsDefinition

/** Target of links to a silo. */
export const siloHome = siloTabs.tabs[0].to

export const siloQuery = (silo: string) => apiQuery('siloView', { path: { silo } })

/** A silo's use of its quotas. */
export const siloUtilizationQuery = (silo: string) =>
  apiQuery('siloUtilizationView', { path: { silo } })

const first = { limit: 1 }

/** Reads that tell how far a silo is set up. OpenID Connect providers are an extension's. */
export const setupQueries = (silo: string) => ({
  users: apiQuery('siloUserList', { query: { silo, ...first } }),
  providers: apiQuery('siloIdentityProviderList', { query: { silo, ...first } }),
  oidcProviders: apiQuery('oidcIdentityProviderSearch', { query: { silo, ...first } }),
  pools: poolsOfSiloQuery(ipPoolKind, silo),
  utilization: siloUtilizationQuery(silo),
  policy: apiQuery('siloPolicyView', { path: { silo } }),
})

/** The page's silo in the address: its name, or its ID. */
export const useSiloParam = (): string =>
  useParams({ from: '/shell/system/silos-crumb/system/silos/$silo' }).silo

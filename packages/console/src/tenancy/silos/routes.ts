import { createRoute, redirect } from '@tanstack/react-router'
import { Building2 } from 'lucide-react'
import { prefetch, prefetchForAMoment } from '../../data/api.ts'
import { currentCapabilities } from '../../data/capabilities.ts'
import { fleetOverviewQuery } from '../../observability/overview/queries.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { listRoutes, panelRoutes } from '../../page/routes.ts'
import { systemRoute } from '../../page/parent-routes.ts'
import { setupQueries, siloListDefinition, siloQuery, siloHome, siloTabs } from './queries.ts'

const { list, index, trail } = listRoutes(systemRoute, 'silos', '/system/silos', {
  list: siloListDefinition,
  crumb: 'Silos',
  nav: { icon: Building2, shortcut: 'goSilos' },
  page: lazyPage(() => import('./silos-page.tsx'), 'SilosPage'),
})

export const siloListRoutes = list.addChildren({
  index,
  ...panelRoutes(list, {
    '/system/silos-new': [
      'New Silo',
      lazyPage(() => import('./silo-form.tsx'), 'SiloCreateForm'),
      async () => {
        if ((await currentCapabilities()).overviews) await prefetchForAMoment(fleetOverviewQuery)
      },
    ],
  }),
})

export { trail as silosCrumbRoute }

/** Reads the steps of the setup ahead: they stand above the tabs, which should not move later. */
async function prefetchSetup(silo: string): Promise<void> {
  const { overviews, oidc } = await currentCapabilities()
  const { oidcProviders, ...others } = setupQueries(silo)
  if (!overviews) return
  await prefetchForAMoment(...Object.values(others), ...(oidc ? [oidcProviders] : []))
}

export const systemSiloRoute = createRoute({
  getParentRoute: () => trail,
  path: '/system/silos/$silo',
  loader: async ({ params: { silo } }) => {
    await Promise.all([prefetch(siloQuery(silo)), prefetchSetup(silo)])
  },
  staticData: {
    crumb: ({ silo }) => silo!,
    crumbTo: siloHome,
  },
})

/** Redirects from a silo's root to its first tab; older addresses name a tab in the query. */
export const siloHomeRoute = createRoute({
  getParentRoute: () => systemSiloRoute,
  path: '/',
  beforeLoad: ({ params, search }) => {
    const { tab } = search as { tab?: unknown }
    const named = siloTabs.tabs.find(({ to }) => to.endsWith(`/${String(tab)}`))
    throw redirect({ to: named?.to ?? siloHome, params, search: {}, replace: true })
  },
})

/** The page of a silo, the parent of its tabs. */
export const siloTabsRoute = createRoute({
  getParentRoute: () => systemSiloRoute,
  id: 'tabs',
  component: lazyPage(() => import('./silo-page.tsx'), 'SiloPage'),
})

export const siloQuotasRoute = createRoute({
  getParentRoute: () => siloTabsRoute,
  path: '/quotas',
  component: lazyPage(() => import('./quotas-tab.tsx'), 'QuotasTab'),
  staticData: { crumb: 'Quotas', isTab: true },
})

export const siloFleetRolesRoute = createRoute({
  getParentRoute: () => siloTabsRoute,
  path: '/fleet-roles',
  component: lazyPage(() => import('./fleet-roles-tab.tsx'), 'FleetRolesTab'),
  staticData: { crumb: 'Fleet Roles', isTab: true },
})

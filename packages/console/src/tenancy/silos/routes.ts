import { createRoute, redirect } from '@tanstack/react-router'
import { Building2 } from 'lucide-react'
import { prefetch } from '../../data/api.ts'
import { searchedRoute } from '../../data/list-search.ts'
import { prefetchList } from '../../data/lists.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { systemRoute } from '../../page/parent-routes.ts'
import { siloListDefinition, siloQuery, siloHome, siloTabs } from './queries.ts'

const crumb = { crumb: 'Silos', crumbTo: '/system/silos' }

const list = createRoute({
  getParentRoute: () => systemRoute,
  id: 'silos',
  component: lazyPage(() => import('./silos-page.tsx'), 'SilosPage'),
  ...searchedRoute(siloListDefinition),
  loader: (visit) => prefetchList(siloListDefinition, {}, visit),
  staticData: crumb,
})

const index = createRoute({
  getParentRoute: () => list,
  path: '/system/silos',
  staticData: { nav: { icon: Building2, shortcut: 'goSilos' } },
})

const create = createRoute({
  getParentRoute: () => list,
  path: '/system/silos-new',
  component: lazyPage(() => import('./silo-form.tsx'), 'SiloCreateForm'),
  staticData: { crumb: 'New Silo', titleOnly: true },
})

export const siloListRoutes = list.addChildren([index, create])

/** A silo's pages replace the list, but their breadcrumbs include it. */
export const silosCrumbRoute = createRoute({
  getParentRoute: () => systemRoute,
  id: 'silos-crumb',
  staticData: crumb,
})

export const systemSiloRoute = createRoute({
  getParentRoute: () => silosCrumbRoute,
  path: '/system/silos/$silo',
  loader: ({ params }) => prefetch(siloQuery(params.silo)),
  staticData: {
    crumb: (params) => params.silo!,
    crumbTo: (params) => siloHome.replace('$silo', params.silo!),
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

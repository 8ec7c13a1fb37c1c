import { createRoute } from '@tanstack/react-router'
import { LifeBuoy } from 'lucide-react'
import { prefetch } from '../../data/api.ts'
import { searchedRoute } from '../../data/list-search.ts'
import { prefetchList } from '../../data/lists.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { systemRoute } from '../../page/parent-routes.ts'
import { bundleListDefinition, bundleQuery } from './queries.ts'

const crumb = { crumb: 'Support Bundles', crumbTo: '/system/support-bundles' }

const list = createRoute({
  getParentRoute: () => systemRoute,
  id: 'support-bundles',
  component: lazyPage(() => import('./support-bundles-page.tsx'), 'SupportBundlesPage'),
  ...searchedRoute(bundleListDefinition),
  loader: (visit) => prefetchList(bundleListDefinition, {}, visit),
  staticData: crumb,
})

const index = createRoute({
  getParentRoute: () => list,
  path: '/system/support-bundles',
  staticData: { nav: { group: 'maintain', icon: LifeBuoy } },
})

const create = createRoute({
  getParentRoute: () => list,
  path: '/system/support-bundles-new',
  component: lazyPage(() => import('./bundle-forms.tsx'), 'BundleCreateForm'),
  staticData: { crumb: 'Collect support bundle', titleOnly: true },
})

export const bundleListRoutes = list.addChildren([index, create])

/** A bundle's page replaces the list, but the breadcrumbs include the list. */
const trail = createRoute({
  getParentRoute: () => systemRoute,
  id: 'support-bundles-crumb',
  staticData: crumb,
})

const page = createRoute({
  getParentRoute: () => trail,
  path: '/system/support-bundles/$bundle',
  component: lazyPage(() => import('./bundle-page.tsx'), 'BundlePage'),
  loader: ({ params: { bundle } }) => prefetch(bundleQuery(bundle)),
  staticData: {
    crumb: 'Support bundle',
    crumbTo: ({ bundle }) => `/system/support-bundles/${bundle}`,
  },
})

const pageIndex = createRoute({ getParentRoute: () => page, path: '/' })

const edit = createRoute({
  getParentRoute: () => page,
  path: '/edit',
  component: lazyPage(() => import('./bundle-forms.tsx'), 'BundleEditForm'),
  staticData: { crumb: 'Edit comment', titleOnly: true },
})

export const bundleRoutes = trail.addChildren([page.addChildren([pageIndex, edit])])

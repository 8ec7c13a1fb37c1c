import { createRoute } from '@tanstack/react-router'
import { LifeBuoy } from 'lucide-react'
import { prefetch } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { listRoutes, panelRoutes } from '../../page/routes.ts'
import { systemRoute } from '../../page/parent-routes.ts'
import { bundleListDefinition, bundleQuery } from './queries.ts'

const { list, index, trail } = listRoutes(
  systemRoute,
  'support-bundles',
  '/system/support-bundles',
  {
    list: bundleListDefinition,
    crumb: 'Support Bundles',
    nav: { group: 'maintain', icon: LifeBuoy },
    page: lazyPage(() => import('./support-bundles-page.tsx'), 'SupportBundlesPage'),
  },
)

export const bundleListRoutes = list.addChildren({
  index,
  ...panelRoutes(list, {
    '/system/support-bundles-new': [
      'Collect support bundle',
      lazyPage(() => import('./bundle-forms.tsx'), 'BundleCreateForm'),
    ],
  }),
})

const page = createRoute({
  getParentRoute: () => trail,
  path: '/system/support-bundles/$bundle',
  component: lazyPage(() => import('./bundle-page.tsx'), 'BundlePage'),
  loader: ({ params: { bundle } }) => prefetch(bundleQuery(bundle)),
  staticData: { crumb: 'Support bundle' },
})

const pageIndex = createRoute({ getParentRoute: () => page, path: '/' })

export const bundleRoutes = trail.addChildren([
  page.addChildren({
    pageIndex,
    ...panelRoutes(page, {
      '/edit': ['Edit comment', lazyPage(() => import('./bundle-forms.tsx'), 'BundleEditForm')],
    }),
  }),
])

import { createRoute } from '@tanstack/react-router'
import { prefetch } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { systemRoute } from '../../page/parent-routes.ts'
import { panelRoutes } from '../../page/routes.ts'
import { poolsNeed } from './choices.ts'
import { poolQuery } from './queries.ts'

/** The page of a pool does not render inside the inventory, but its breadcrumbs include it. */
const trail = createRoute({
  getParentRoute: () => systemRoute,
  id: 'pools-crumb',
  staticData: { crumb: 'Inventory', crumbTo: '/system/inventory/storage-pools', ...poolsNeed[0] },
})

const page = createRoute({
  getParentRoute: () => trail,
  path: '/system/inventory/storage-pools/$pool',
  component: lazyPage(() => import('./pool-page.tsx'), 'PoolPage'),
  loader: ({ params: { pool } }) => prefetch(poolQuery(pool)),
  staticData: { crumb: ({ pool }) => pool! },
})

const pageIndex = createRoute({ getParentRoute: () => page, path: '/' })

export const storagePoolRoutes = trail.addChildren([
  page.addChildren({
    pageIndex,
    ...panelRoutes(page, {
      '/edit': ['Edit storage pool', lazyPage(() => import('./pool-forms.tsx'), 'PoolEditForm')],
    }),
  }),
])

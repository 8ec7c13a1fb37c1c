import { createRoute } from '@tanstack/react-router'
import { RefreshCw } from 'lucide-react'
import { optional, prefetch } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { panelRoutes } from '../../page/routes.ts'
import { systemRoute } from '../../page/parent-routes.ts'
import { releasesQuery, statusQuery, trustRootsQuery } from './queries.ts'

const page = createRoute({
  getParentRoute: () => systemRoute,
  id: 'update',
  component: lazyPage(() => import('./update-page.tsx'), 'UpdatePage'),
  loader: () => prefetch(statusQuery, optional(releasesQuery), optional(trustRootsQuery)),
  staticData: { part: 'updates', crumb: 'System Update', crumbTo: '/system/update' },
})

const index = createRoute({
  getParentRoute: () => page,
  path: '/system/update',
  staticData: { nav: { group: 'maintain', icon: RefreshCw } },
})

export const updateRoutes = page.addChildren({
  index,
  ...panelRoutes(page, {
    '/system/update/releases-new': [
      'Upload release',
      lazyPage(() => import('./upload-form.tsx'), 'UploadForm'),
    ],
    '/system/update/trust-roots-new': [
      'Add trust root',
      lazyPage(() => import('./trust-root-form.tsx'), 'TrustRootForm'),
    ],
  }),
})

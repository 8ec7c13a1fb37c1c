import { createRoute } from '@tanstack/react-router'
import { RefreshCw } from 'lucide-react'
import { optional, prefetch } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
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

const upload = createRoute({
  getParentRoute: () => page,
  path: '/system/update/releases-new',
  component: lazyPage(() => import('./upload-form.tsx'), 'UploadForm'),
  staticData: { crumb: 'Upload release', titleOnly: true },
})

const trustRoot = createRoute({
  getParentRoute: () => page,
  path: '/system/update/trust-roots-new',
  component: lazyPage(() => import('./trust-root-form.tsx'), 'TrustRootForm'),
  staticData: { crumb: 'Add trust root', titleOnly: true },
})

export const updateRoutes = page.addChildren([index, upload, trustRoot])

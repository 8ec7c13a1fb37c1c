import { createRoute } from '@tanstack/react-router'
import { FileBadge } from 'lucide-react'
import { ALL_ITEMS, apiQuery, optional, prefetch } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { panelRoutes } from '../../page/routes.ts'
import { siloRoute } from '../../page/parent-routes.ts'

const list = createRoute({
  getParentRoute: () => siloRoute,
  id: 'certificates',
  component: lazyPage(() => import('./certificates-page.tsx'), 'CertificatesPage'),
  loader: () => prefetch(optional(apiQuery('certificateList', { query: { limit: ALL_ITEMS } }))),
  staticData: { crumb: 'Certificates', crumbTo: '/certificates' },
})

const index = createRoute({
  getParentRoute: () => list,
  path: '/certificates',
  staticData: { nav: { group: 'access', icon: FileBadge, onlyFor: 'siloAdmins' } },
})

export const certificateRoutes = list.addChildren({
  index,
  ...panelRoutes(list, {
    '/certificates-new': [
      'New certificate',
      lazyPage(() => import('./certificate-create.tsx'), 'CertificateCreatePage'),
    ],
  }),
})

import { createRoute } from '@tanstack/react-router'
import { apiQuery, prefetch } from '../../data/api.ts'
import { connectivityRoute } from '../external-connectivity/routes.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { panelRoutes } from '../../page/routes.ts'

const tab = createRoute({
  getParentRoute: () => connectivityRoute,
  id: 'bfd',
  component: lazyPage(() => import('./bfd-tab.tsx'), 'BfdTab'),
  loader: () => prefetch(apiQuery('networkingBfdStatus', {})),
  staticData: { crumb: 'BFD', crumbTo: '/system/networking/bfd', isTab: true },
})

const index = createRoute({ getParentRoute: () => tab, path: '/system/networking/bfd' })

export const bfdRoutes = tab.addChildren({
  index,
  ...panelRoutes(tab, {
    '/system/networking/bfd-new': [
      'New BFD session',
      lazyPage(() => import('./bfd-form.tsx'), 'BfdEnableForm'),
    ],
  }),
})

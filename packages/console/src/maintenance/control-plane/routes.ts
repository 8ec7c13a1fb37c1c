import { createRoute } from '@tanstack/react-router'
import { Server } from 'lucide-react'
import { prefetch } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { systemRoute } from '../../page/parent-routes.ts'
import { systemHealthQuery } from './queries.ts'

export const controlPlaneRoute = createRoute({
  getParentRoute: () => systemRoute,
  path: '/system/control-plane',
  component: lazyPage(() => import('./control-plane-page.tsx'), 'ControlPlanePage'),
  loader: () => prefetch(systemHealthQuery),
  staticData: {
    nav: { group: 'maintain', icon: Server },
    crumb: 'Control Plane',
    needs: 'issues',
  },
})

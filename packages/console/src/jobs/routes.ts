import { createRoute } from '@tanstack/react-router'
import { prefetch } from '../data/api.ts'
import { firstPage } from '../data/pagination.ts'
import { lazyPage } from '../shell/lazy-page.ts'
import { siloRoute } from '../shell/routes.ts'
import { jobListArgs } from './queries.ts'

export const jobListRoute = createRoute({
  getParentRoute: () => siloRoute,
  path: '/jobs',
  component: lazyPage(() => import('./activity-page.tsx'), 'ActivityPage'),
  loader: () => prefetch(firstPage('jobList', jobListArgs)),
  staticData: { crumb: 'Activity' },
})

import { createRoute } from '@tanstack/react-router'
import { optional, prefetch } from '../../data/api.ts'
import { jobsQuery } from './queries.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { siloRoute } from '../../page/parent-routes.ts'

export const jobListRoute = createRoute({
  getParentRoute: () => siloRoute,
  path: '/jobs',
  component: lazyPage(() => import('./jobs-page.tsx'), 'JobsPage'),
  validateSearch: ({ tab }: { tab?: unknown }): { tab?: 'actions' } =>
    tab === 'actions' ? { tab } : {},
  loader: () => prefetch(optional(jobsQuery())),
  staticData: { crumb: 'Jobs', needs: 'jobs' },
})

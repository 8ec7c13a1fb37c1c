import { createRoute } from '@tanstack/react-router'
import { prefetchForAMoment } from '../../../data/api.ts'
import { instancesCrumbRoute } from '../instance-route.ts'
import { lazyPage } from '../../../page/lazy-page.ts'
import { offerQueries } from './queries.ts'

/** A full page of its own, not a panel over the list. */
export const instanceCreateRoute = createRoute({
  getParentRoute: () => instancesCrumbRoute,
  path: '/instances-new',
  component: lazyPage(() => import('./instance-create-page.tsx'), 'InstanceCreatePage'),
  loader: ({ params: { project } }) => prefetchForAMoment(...offerQueries(project)),
  staticData: { crumb: 'New instance' },
})

import { createRoute } from '@tanstack/react-router'
import { optional, prefetch, prefetchForAMoment } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { offerQueries } from './create/queries.ts'
import { instanceRoute, instancesCrumbRoute } from './instance-route.ts'
import { instanceDisksQuery } from './queries.ts'

/** A full page, not a panel over the list. */
export const instanceCreateRoute = createRoute({
  getParentRoute: () => instancesCrumbRoute,
  path: '/instances-new',
  component: lazyPage(() => import('./create/instance-create-page.tsx'), 'InstanceCreatePage'),
  loader: ({ params: { project } }) => prefetchForAMoment(...offerQueries(project)),
  staticData: { crumb: 'New instance' },
})

export const instanceCloneRoute = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/clone',
  component: lazyPage(
    () => import('../instance-clones/instance-clone-page.tsx'),
    'InstanceClonePage',
  ),
  loader: ({ params }) => prefetch(optional(instanceDisksQuery(params))),
  staticData: { crumb: 'Clone', needs: 'instanceClones' },
})

import { createRoute } from '@tanstack/react-router'
import { prefetch, prefetchInBackground } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { listRoutes, panelRoutes } from '../../page/routes.ts'
import { vpcSubnetsQuery } from '../subnets/queries.ts'
import type { VpcParams } from '../vpcs/queries.ts'
import { vpcRoute, vpcTabsRoute } from '../vpcs/routes.ts'
import {
  routeListDefinition,
  routerListDefinition,
  gatewaysQuery,
  routeQuery,
  routerQuery,
} from './queries.ts'

const { list, index, crumb } = listRoutes(vpcTabsRoute, 'routers', '/routers', {
  list: routerListDefinition,
  crumb: 'Routers',
  isTab: true,
  page: lazyPage(() => import('./routers-tab.tsx'), 'RoutersTab'),
})

export const routersTabRoutes = list.addChildren({
  index,
  ...panelRoutes(list, {
    '/routers-new': [
      'New Router',
      lazyPage(() => import('./router-forms.tsx'), 'RouterCreateForm'),
    ],
    '/routers/$router/edit': [
      'Edit Router',
      lazyPage(() => import('./router-forms.tsx'), 'RouterEditForm'),
      (params) => prefetch(routerQuery(params)),
    ],
  }),
})

/** The page of a router does not render inside the tabs of its VPC. */
const pages = createRoute({
  getParentRoute: () => vpcRoute,
  id: 'routers-page',
  staticData: crumb,
})

const router = createRoute({
  getParentRoute: () => pages,
  path: '/routers/$router',
  loader: ({ params }) => prefetch(routerQuery(params)),
  staticData: { crumb: ({ router: name }) => name! },
})

const { list: page, index: routes } = listRoutes(router, 'page', '/', {
  list: routeListDefinition,
  crumb: 'Routes',
  page: lazyPage(() => import('./router-page.tsx'), 'RouterPage'),
})

/**
 * Prefetches the choices for the ends of a route, except instances: there may be many, so the form
 * reads them.
 */
const prefetchEnds = (params: VpcParams) =>
  prefetchInBackground(vpcSubnetsQuery(params), gatewaysQuery(params))

export const routerPageRoutes = pages.addChildren([
  router.addChildren([
    page.addChildren({
      index: routes,
      ...panelRoutes(page, {
        '/routes-new': [
          'New Route',
          lazyPage(() => import('./route-forms.tsx'), 'RouteCreateForm'),
          prefetchEnds,
        ],
        '/routes/$route/edit': [
          'Edit Route',
          lazyPage(() => import('./route-forms.tsx'), 'RouteEditForm'),
          (params) => {
            prefetchEnds(params)
            return prefetch(routeQuery(params))
          },
        ],
      }),
    }),
  ]),
])

// Exported here because the routes of VPCs may load later: without it, the path of a VPC would be
// an empty page.
export { vpcHomeRoute } from '../vpcs/routes.ts'

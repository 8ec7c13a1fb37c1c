import { createRoute } from '@tanstack/react-router'
import { prefetch, prefetchInBackground } from '../../data/api.ts'
import { searchedRoute } from '../../data/list-search.ts'
import { prefetchList } from '../../data/lists.ts'
import { lazyPage } from '../../page/lazy-page.ts'
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

const tab = createRoute({
  getParentRoute: () => vpcTabsRoute,
  id: 'routers',
  component: lazyPage(() => import('./routers-tab.tsx'), 'RoutersTab'),
  ...searchedRoute(routerListDefinition),
  loader: ({ params: { project, vpc }, ...visit }) =>
    prefetchList(routerListDefinition, { project, vpc }, visit),
})

const crumb = {
  crumb: 'Routers',
  crumbTo: ({ project, vpc }: Record<string, string>) => `/projects/${project}/vpcs/${vpc}/routers`,
}

const trail = createRoute({
  getParentRoute: () => tab,
  id: 'routers-crumb',
  staticData: { ...crumb, isTab: true },
})

const index = createRoute({ getParentRoute: () => trail, path: '/routers' })

const create = createRoute({
  getParentRoute: () => trail,
  path: '/routers-new',
  component: lazyPage(() => import('./router-forms.tsx'), 'RouterCreateForm'),
  staticData: { crumb: 'New Router', titleOnly: true },
})

const edit = createRoute({
  getParentRoute: () => trail,
  path: '/routers/$router/edit',
  component: lazyPage(() => import('./router-forms.tsx'), 'RouterEditForm'),
  loader: ({ params }) => prefetch(routerQuery(params)),
  staticData: { crumb: 'Edit Router', titleOnly: true },
})

export const routersTabRoutes = tab.addChildren([trail.addChildren([index, create, edit])])

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
  staticData: {
    crumb: (params) => params.router!,
    crumbTo: ({ project, vpc, router: name }) => `/projects/${project}/vpcs/${vpc}/routers/${name}`,
  },
})

const page = createRoute({
  getParentRoute: () => router,
  id: 'page',
  component: lazyPage(() => import('./router-page.tsx'), 'RouterPage'),
  ...searchedRoute(routeListDefinition),
  loader: ({ params: { project, vpc, router: name }, ...visit }) =>
    prefetchList(routeListDefinition, { project, vpc, router: name }, visit),
})

const routesTrail = createRoute({
  getParentRoute: () => page,
  id: 'routes-crumb',
  staticData: {
    crumb: 'Routes',
    crumbTo: ({ project, vpc, router: name }) => `/projects/${project}/vpcs/${vpc}/routers/${name}`,
  },
})

const routes = createRoute({ getParentRoute: () => routesTrail, path: '/' })

/**
 * Prefetches the choices for the ends of a route, except instances: there may be many, so the form
 * reads them.
 */
const prefetchEnds = (params: VpcParams) =>
  prefetchInBackground(vpcSubnetsQuery(params), gatewaysQuery(params))

const newRoute = createRoute({
  getParentRoute: () => routesTrail,
  path: '/routes-new',
  component: lazyPage(() => import('./route-forms.tsx'), 'RouteCreateForm'),
  loader: ({ params }) => prefetchEnds(params),
  staticData: { crumb: 'New Route', titleOnly: true },
})

const editRoute = createRoute({
  getParentRoute: () => routesTrail,
  path: '/routes/$route/edit',
  component: lazyPage(() => import('./route-forms.tsx'), 'RouteEditForm'),
  loader: ({ params }) => {
    prefetchEnds(params)
    return prefetch(routeQuery(params))
  },
  staticData: { crumb: 'Edit Route', titleOnly: true },
})

export const routerPageRoutes = pages.addChildren([
  router.addChildren([page.addChildren([routesTrail.addChildren([routes, newRoute, editRoute])])]),
])

// Exported here because the routes of VPCs may load later: without it, the path of a VPC would be
// an empty page.
export { vpcHomeRoute } from '../vpcs/routes.ts'

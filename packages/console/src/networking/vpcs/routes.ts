import { createRoute, redirect } from '@tanstack/react-router'
import { Network } from 'lucide-react'
import { searchedRoute } from '../../data/list-search.ts'
import { prefetch } from '../../data/api.ts'
import { prefetchList } from '../../data/lists.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { projectRoute } from '../../page/parent-routes.ts'
import { vpcListDefinition, vpcQuery, vpcHome } from './queries.ts'

const crumb = {
  crumb: 'VPCs',
  crumbTo: ({ project }: Record<string, string>) => `/projects/${project}/vpcs`,
}

const list = createRoute({
  getParentRoute: () => projectRoute,
  id: 'vpcs',
  component: lazyPage(() => import('./vpcs-page.tsx'), 'VpcsPage'),
  ...searchedRoute(vpcListDefinition),
  loader: ({ params: { project }, ...visit }) =>
    prefetchList(vpcListDefinition, { project }, visit),
  staticData: crumb,
})

const index = createRoute({
  getParentRoute: () => list,
  path: '/vpcs',
  staticData: { nav: { group: 'network', icon: Network, shortcut: 'goVpcs' } },
})

const create = createRoute({
  getParentRoute: () => list,
  path: '/vpcs-new',
  component: lazyPage(() => import('./vpc-forms.tsx'), 'VpcCreateForm'),
  staticData: { crumb: 'New VPC', titleOnly: true },
})

export const vpcListRoutes = list.addChildren([index, create])

/** The page of a VPC does not render inside the list, but its breadcrumbs include the list. */
export const vpcsCrumbRoute = createRoute({
  getParentRoute: () => projectRoute,
  id: 'vpcs-crumb',
  staticData: crumb,
})

/** The parent of the routes of one VPC: its page with tabs, and the pages of its routers. */
export const vpcRoute = createRoute({
  getParentRoute: () => vpcsCrumbRoute,
  path: '/vpcs/$vpc',
  loader: ({ params }) => prefetch(vpcQuery(params)),
  staticData: {
    crumb: (params) => params.vpc!,
    crumbTo: (params) => vpcHome.replace('$project', params.project!).replace('$vpc', params.vpc!),
  },
})

/** A VPC's own path redirects to its first tab. */
export const vpcHomeRoute = createRoute({
  getParentRoute: () => vpcRoute,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: vpcHome, params, replace: true })
  },
})

/** The page of a VPC, the parent of its tabs. */
export const vpcTabsRoute = createRoute({
  getParentRoute: () => vpcRoute,
  id: 'tabs',
  component: lazyPage(() => import('./vpc-page.tsx'), 'VpcPage'),
})

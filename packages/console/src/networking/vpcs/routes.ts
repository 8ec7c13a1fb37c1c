import { createRoute, redirect } from '@tanstack/react-router'
import { Network } from 'lucide-react'
import { prefetch } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { projectRoute } from '../../page/parent-routes.ts'
import { listRoutes, panelRoutes } from '../../page/routes.ts'
import { vpcHome, vpcListDefinition, vpcQuery } from './queries.ts'

const { list, index, trail } = listRoutes(projectRoute, 'vpcs', '/vpcs', {
  list: vpcListDefinition,
  crumb: 'VPCs',
  nav: { group: 'network', icon: Network, shortcut: 'goVpcs' },
  page: lazyPage(() => import('./vpcs-page.tsx'), 'VpcsPage'),
})

export const vpcListRoutes = list.addChildren({
  index,
  ...panelRoutes(list, {
    '/vpcs-new': ['New VPC', lazyPage(() => import('./vpc-forms.tsx'), 'VpcCreateForm')],
  }),
})

export { trail as vpcsCrumbRoute }

/** The parent of the routes of one VPC: its page with tabs, and the pages of its routers. */
export const vpcRoute = createRoute({
  getParentRoute: () => trail,
  path: '/vpcs/$vpc',
  loader: ({ params }) => prefetch(vpcQuery(params)),
  staticData: { crumb: ({ vpc }) => vpc!, crumbTo: vpcHome },
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

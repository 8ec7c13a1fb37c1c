import { createRoute } from '@tanstack/react-router'
import { optional, prefetch } from '../data/api.ts'
import { lazyPage } from '../page/lazy-page.ts'
import { vpcTabsRoute } from '../vpcs/routes.ts'
import { vpcSubnetsQuery } from './queries.ts'

const tab = createRoute({
  getParentRoute: () => vpcTabsRoute,
  id: 'subnets',
  component: lazyPage(() => import('./subnets-tab.tsx'), 'SubnetsTab'),
  loader: ({ params }) => prefetch(optional(vpcSubnetsQuery(params))),
})

const trail = createRoute({
  getParentRoute: () => tab,
  id: 'subnets-crumb',
  staticData: {
    crumb: 'VPC Subnets',
    crumbTo: ({ project, vpc }) => `/projects/${project}/vpcs/${vpc}/subnets`,
    isTab: true,
  },
})

const index = createRoute({ getParentRoute: () => trail, path: '/subnets' })

export const subnetRoutes = tab.addChildren([trail.addChildren([index])])

import { createRoute } from '@tanstack/react-router'
import { ShieldCheck } from 'lucide-react'
import { optional, prefetch } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { projectRoute, siloRoute, systemRoute } from '../../page/parent-routes.ts'
import { siloTabsRoute } from '../../tenancy/silos/routes.ts'
import { prefetchOwnSilo } from '../users/queries.ts'
import { policyQuery } from './policy-query.ts'

export const siloAccessRoute = createRoute({
  getParentRoute: () => siloRoute,
  path: '/access',
  component: lazyPage(() => import('./silo-access-page.tsx'), 'SiloAccessPage'),
  loader: () =>
    Promise.all([prefetch(optional(policyQuery({ level: 'silo' }))), prefetchOwnSilo()]),
  staticData: { nav: { group: 'access', icon: ShieldCheck }, crumb: 'Silo Access' },
})

export const projectAccessRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/access',
  component: lazyPage(() => import('./project-access-page.tsx'), 'ProjectAccessPage'),
  loader: ({ params: { project } }) =>
    Promise.all([
      prefetch(
        optional(policyQuery({ level: 'silo' })),
        optional(policyQuery({ level: 'project', project })),
      ),
      prefetchOwnSilo(),
    ]),
  staticData: { nav: { group: 'access', icon: ShieldCheck }, crumb: 'Project Access' },
})

export const fleetAccessRoute = createRoute({
  getParentRoute: () => systemRoute,
  path: '/system/access',
  component: lazyPage(() => import('./fleet-access-page.tsx'), 'FleetAccessPage'),
  loader: () => prefetch(optional(policyQuery({ level: 'fleet' }))),
  staticData: { nav: { group: 'access', icon: ShieldCheck }, crumb: 'Fleet Access' },
})

export const siloAccessTabRoute = createRoute({
  getParentRoute: () => siloTabsRoute,
  path: '/access',
  component: lazyPage(() => import('./silo/access-tab.tsx'), 'SiloAccessTab'),
  loader: ({ params: { silo } }) => prefetch(optional(policyQuery({ level: 'silo', silo }))),
  staticData: { crumb: 'Access', isTab: true },
})

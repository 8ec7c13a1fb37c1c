import { createRoute } from '@tanstack/react-router'
import { Radio } from 'lucide-react'
import { optional, prefetch } from '../../data/api.ts'
import { searchedRoute } from '../../data/list-search.ts'
import { prefetchList } from '../../data/lists.ts'
import { ipPoolsQuery } from '../pools/own-pools.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { projectRoute } from '../../page/parent-routes.ts'
import { probeListDefinition, probeQuery } from './queries.ts'

const list = createRoute({
  getParentRoute: () => projectRoute,
  id: 'probes',
  component: lazyPage(() => import('./probes-page.tsx'), 'ProbesPage'),
  ...searchedRoute(probeListDefinition),
  loader: ({ params: { project }, ...visit }) =>
    prefetchList(probeListDefinition, { project }, visit),
  staticData: { crumb: 'Probes', crumbTo: ({ project }) => `/projects/${project}/probes` },
})

const index = createRoute({
  getParentRoute: () => list,
  path: '/probes',
  staticData: { nav: { group: 'network', icon: Radio, shortcut: 'goProbes' } },
})

const create = createRoute({
  getParentRoute: () => list,
  path: '/probes-new',
  component: lazyPage(() => import('./probe-create.tsx'), 'ProbeCreateForm'),
  // Optional: the pool field shows its own error if the list cannot be read.
  loader: () => prefetch(optional(ipPoolsQuery)),
  staticData: { crumb: 'New probe', titleOnly: true },
})

const view = createRoute({
  getParentRoute: () => list,
  path: '/probes/$probe',
  component: lazyPage(() => import('./probe-view.tsx'), 'ProbeView'),
  loader: ({ params: { project, probe } }) => prefetch(probeQuery(project, probe)),
  staticData: { crumb: 'Probe', titleOnly: true },
})

export const probeListRoutes = list.addChildren([index, create, view])

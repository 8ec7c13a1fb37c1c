import { Radio } from 'lucide-react'
import { optional, prefetch } from '../../data/api.ts'
import { ipPoolsQuery } from '../pools/own-pools.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { listRoutes, panelRoutes } from '../../page/routes.ts'
import { projectRoute } from '../../page/parent-routes.ts'
import { probeListDefinition, probeQuery } from './queries.ts'

const { list, index } = listRoutes(projectRoute, 'probes', '/probes', {
  list: probeListDefinition,
  crumb: 'Probes',
  nav: { group: 'network', icon: Radio, shortcut: 'goProbes' },
  page: lazyPage(() => import('./probes-page.tsx'), 'ProbesPage'),
})

export const probeListRoutes = list.addChildren({
  index,
  ...panelRoutes(list, {
    '/probes-new': [
      'New probe',
      lazyPage(() => import('./probe-create.tsx'), 'ProbeCreateForm'), // Optional: the pool field shows its own error if the list cannot be read.
      ({ project }) => prefetch(optional(ipPoolsQuery(project))),
    ],
    '/probes/$probe': [
      'Probe',
      lazyPage(() => import('./probe-view.tsx'), 'ProbeView'),
      ({ project, probe }) => prefetch(probeQuery(project, probe)),
    ],
  }),
})

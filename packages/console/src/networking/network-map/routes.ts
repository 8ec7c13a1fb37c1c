import { createRoute } from '@tanstack/react-router'
import { Map as MapIcon } from 'lucide-react'
import { optional, prefetch } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { answerQuery } from '../reachability/queries.ts'
import { readQuestionSearch } from '../reachability/search.ts'
import { projectRoute } from '../../page/parent-routes.ts'
import { projectNetworkQuery } from '../topology/queries.ts'

export const networkMapRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/network-map',
  component: lazyPage(() => import('./network-map-page.tsx'), 'NetworkMapPage'),
  validateSearch: readQuestionSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ params: { project }, deps }) => {
    const answer = answerQuery(project, deps)
    return prefetch(optional(projectNetworkQuery(project)), ...(answer ? [optional(answer)] : []))
  },
  staticData: { nav: { icon: MapIcon }, crumb: 'Network Map', needs: 'reachability' },
})

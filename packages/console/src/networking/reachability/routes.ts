import { createRoute } from '@tanstack/react-router'
import { Map as MapIcon, Route as RouteIcon } from 'lucide-react'
import { optional, prefetch } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { projectRoute } from '../../page/parent-routes.ts'
import { projectNetworkQuery } from '../topology/queries.ts'
import { answerQuery } from './queries.ts'
import { type QuestionSearch, readQuestionSearch } from './search.ts'

type Visit = { params: { project: string }; deps: QuestionSearch }

/** Loads the network of the project and the answer to the question in the URL, for both pages. */
const loadAnswered = ({ params: { project }, deps }: Visit) => {
  const answer = answerQuery(project, deps)
  return prefetch(optional(projectNetworkQuery(project)), ...(answer ? [optional(answer)] : []))
}

export const reachabilityRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/reachability',
  component: lazyPage(() => import('./test/reachability-page.tsx'), 'ReachabilityPage'),
  validateSearch: readQuestionSearch,
  loaderDeps: ({ search }) => search,
  loader: loadAnswered,
  staticData: {
    nav: { group: 'network', icon: RouteIcon },
    crumb: 'Reachability',
    needs: 'reachability',
  },
})

export const networkMapRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/network-map',
  component: lazyPage(() => import('../network-map/network-map-page.tsx'), 'NetworkMapPage'),
  validateSearch: readQuestionSearch,
  loaderDeps: ({ search }) => search,
  loader: loadAnswered,
  staticData: {
    nav: { group: 'network', icon: MapIcon },
    crumb: 'Network Map',
    needs: 'reachability',
  },
})

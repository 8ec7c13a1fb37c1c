import { createRoute } from '@tanstack/react-router'
import { optional, prefetch } from '../data/api.ts'
import { lazyPage } from '../page/lazy-page.ts'
import { answerQuery } from '../reachability/queries.ts'
import { readQuestionSearch } from '../reachability/question.ts'
import { vpcNetworkQuery } from '../topology/queries.ts'
import { vpcTabsRoute } from '../vpcs/routes.ts'

export const vpcTopologyRoute = createRoute({
  getParentRoute: () => vpcTabsRoute,
  path: '/topology',
  component: lazyPage(() => import('./topology-tab.tsx'), 'TopologyTab'),
  validateSearch: readQuestionSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ params: { project, vpc }, deps }) => {
    const answer = answerQuery(project, deps)
    return prefetch(optional(vpcNetworkQuery(project, vpc)), ...(answer ? [optional(answer)] : []))
  },
  staticData: { crumb: 'Topology', isTab: true },
})

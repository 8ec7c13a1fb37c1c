import { createRoute } from '@tanstack/react-router'
import { optional, prefetch } from '../../../data/api.ts'
import { lazyPage } from '../../../page/lazy-page.ts'
import { readQuestionSearch } from '../../reachability/search.ts'
import { vpcNetworkQuery } from '../queries.ts'
import { vpcTabsRoute } from '../../vpcs/routes.ts'

export const vpcTopologyRoute = createRoute({
  getParentRoute: () => vpcTabsRoute,
  path: '/topology',
  component: lazyPage(() => import('./topology-tab.tsx'), 'TopologyTab'),
  validateSearch: readQuestionSearch,
  loader: ({ params: { project, vpc } }) => prefetch(optional(vpcNetworkQuery(project, vpc))),
  staticData: { crumb: 'Topology', isTab: true, needs: 'reachability' },
})

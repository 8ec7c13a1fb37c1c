import { createRoute, notFound } from '@tanstack/react-router'
import { optional, prefetch, prefetchInBackground, queryClient } from '../../data/api.ts'
import { projectInstancesQuery } from '../../compute/instances/queries.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { panelRoutes } from '../../page/routes.ts'
import { vpcSubnetsQuery } from '../subnets/queries.ts'
import { projectVpcsQuery, type VpcParams, firewallRulesQuery } from '../vpcs/queries.ts'
import { vpcTabsRoute } from '../vpcs/routes.ts'
import type { Rules } from './rules.ts'
import { readRuleSearch } from './search-params.ts'

const tab = createRoute({
  getParentRoute: () => vpcTabsRoute,
  id: 'firewall-rules',
  component: lazyPage(() => import('./firewall-rules-tab.tsx'), 'FirewallRulesTab'),
  validateSearch: readRuleSearch,
  loader: ({ params }) => prefetch(optional(firewallRulesQuery(params))),
})

const trail = createRoute({
  getParentRoute: () => tab,
  id: 'firewall-rules-crumb',
  staticData: {
    crumb: 'Firewall Rules',
    crumbTo: '/projects/$project/vpcs/$vpc/firewall-rules',
    isTab: true,
  },
})

const index = createRoute({ getParentRoute: () => trail, path: '/firewall-rules' })

/** Loads the rules; suggestions load in the background, as other names can be typed. */
async function loadForm(params: VpcParams): Promise<Rules> {
  const query = firewallRulesQuery(params)
  prefetchInBackground(
    projectInstancesQuery(params.project),
    projectVpcsQuery(params.project),
    vpcSubnetsQuery(params),
  )
  await prefetch(query)
  return queryClient.getQueryData<Rules>(query.queryKey)!
}

const form = () => import('./rule-form.tsx')

const edit = createRoute({
  getParentRoute: () => trail,
  path: '/firewall-rules/$rule/edit',
  component: lazyPage(form, 'RuleEditForm'),
  loader: async ({ params, cause }) => {
    const { rules } = await loadForm(params)
    // Only on entry: the form handles a deletion by others while it is open.
    if (cause === 'enter' && !rules.some(({ name }) => name === params.rule)) throw notFound()
  },
  staticData: { crumb: 'Edit Rule', titleOnly: true },
})

export const firewallRuleRoutes = tab.addChildren({
  rules: trail.addChildren({
    index,
    ...panelRoutes(trail, {
      '/firewall-rules-new': ['New Rule', lazyPage(form, 'RuleCreateForm'), loadForm],
      '/firewall-rules-new/$rule': ['New Rule', lazyPage(form, 'RuleCreateForm'), loadForm],
    }),
    edit,
  }),
  // The edit form of the VPC opens over its first tab.
  ...panelRoutes(tab, {
    '/edit': ['Edit VPC', lazyPage(() => import('../vpcs/vpc-forms.tsx'), 'VpcEditForm')],
  }),
})

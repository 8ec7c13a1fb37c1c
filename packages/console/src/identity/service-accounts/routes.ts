import { createRoute } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { prefetch } from '../../data/api.ts'
import { searchedRoute } from '../../data/list-search.ts'
import { prefetchList } from '../../data/lists.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { projectRoute, siloRoute } from '../../page/parent-routes.ts'
import { accountListDefinition, accountQuery, siloAccountListDefinition } from './queries.ts'

const staticData = {
  crumb: 'Service Accounts',
  needs: 'serviceAccounts',
  nav: { group: 'access', icon: KeyRound },
} as const
/** The access tokens of an account, above the list. */
const one = {
  component: lazyPage(() => import('./account-tokens.tsx'), 'AccountTokensPage'),
  loader: ({ params }: { params: { serviceAccount: string } }) =>
    prefetch(accountQuery(params.serviceAccount)),
  staticData: { crumb: 'Access tokens', titleOnly: true },
} as const

const list = createRoute({
  getParentRoute: () => projectRoute,
  path: '/service-accounts',
  component: lazyPage(() => import('./service-accounts-page.tsx'), 'ServiceAccountsPage'),
  ...searchedRoute(accountListDefinition),
  loader: ({ params: { project }, ...visit }) =>
    prefetchList(accountListDefinition, { project }, visit),
  staticData,
})
const tokens = createRoute({ getParentRoute: () => list, path: '/$serviceAccount', ...one })

export const accountRoutes = list.addChildren([tokens])

const siloList = createRoute({
  getParentRoute: () => siloRoute,
  path: '/service-accounts',
  component: lazyPage(() => import('./service-accounts-page.tsx'), 'SiloServiceAccountsPage'),
  ...searchedRoute(siloAccountListDefinition),
  loader: (visit) => prefetchList(siloAccountListDefinition, {}, visit),
  staticData,
})
const siloTokens = createRoute({ getParentRoute: () => siloList, path: '/$serviceAccount', ...one })

export const siloAccountRoutes = siloList.addChildren([siloTokens])

import { createRoute } from '@tanstack/react-router'
import { Bot } from 'lucide-react'
import { optional, prefetch } from '../../data/api.ts'
import { searchedRoute } from '../../data/list-search.ts'
import { prefetchList } from '../../data/lists.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { projectRoute, siloRoute } from '../../page/parent-routes.ts'
import {
  accountListDefinition,
  accountQuery,
  accountTokensQuery,
  siloAccountListDefinition,
} from './queries.ts'

const needs = 'serviceAccounts'
const nav = { group: 'access', icon: Bot } as const
const crumb = 'Service Accounts'
const tokensPage = {
  component: lazyPage(() => import('./account-tokens.tsx'), 'AccountTokensPage'),
  loader: ({ params: { serviceAccount } }: { params: { serviceAccount: string } }) =>
    prefetch(accountQuery(serviceAccount), optional(accountTokensQuery(serviceAccount))),
  staticData: { crumb: 'Access tokens', titleOnly: true },
} as const
const editPage = {
  component: lazyPage(() => import('./account-forms.tsx'), 'AccountEditPage'),
  loader: ({ params: { serviceAccount } }: { params: { serviceAccount: string } }) =>
    prefetch(accountQuery(serviceAccount)),
  staticData: { crumb: 'Edit service account', titleOnly: true },
} as const

const list = createRoute({
  getParentRoute: () => projectRoute,
  id: 'service-accounts',
  component: lazyPage(() => import('./service-accounts-page.tsx'), 'ServiceAccountsPage'),
  ...searchedRoute(accountListDefinition),
  loader: ({ params: { project }, ...visit }) =>
    prefetchList(accountListDefinition, { project }, visit),
  staticData: {
    crumb,
    crumbTo: ({ project }) => `/projects/${project}/service-accounts`,
    needs,
  },
})
const index = createRoute({
  getParentRoute: () => list,
  path: '/service-accounts',
  staticData: { nav },
})
const tokens = createRoute({
  getParentRoute: () => list,
  path: '/service-accounts/$serviceAccount',
  ...tokensPage,
})
const edit = createRoute({
  getParentRoute: () => list,
  path: '/service-accounts/$serviceAccount/edit',
  ...editPage,
})

export const accountRoutes = list.addChildren([index, tokens, edit])

const siloList = createRoute({
  getParentRoute: () => siloRoute,
  id: 'silo-service-accounts',
  component: lazyPage(() => import('./service-accounts-page.tsx'), 'SiloServiceAccountsPage'),
  ...searchedRoute(siloAccountListDefinition),
  loader: (visit) => prefetchList(siloAccountListDefinition, {}, visit),
  staticData: { crumb, crumbTo: '/service-accounts', needs },
})
const siloIndex = createRoute({
  getParentRoute: () => siloList,
  path: '/service-accounts',
  staticData: { nav },
})
const siloTokens = createRoute({
  getParentRoute: () => siloList,
  path: '/service-accounts/$serviceAccount',
  ...tokensPage,
})
const siloEdit = createRoute({
  getParentRoute: () => siloList,
  path: '/service-accounts/$serviceAccount/edit',
  ...editPage,
})

export const siloAccountRoutes = siloList.addChildren([siloIndex, siloTokens, siloEdit])

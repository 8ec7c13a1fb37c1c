import { KeyRound } from 'lucide-react'
import { prefetch } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { projectRoute, siloRoute } from '../../page/parent-routes.ts'
import { listRoutes, panelRoutes } from '../../page/routes.ts'
import { accountListDefinition, accountQuery, siloAccountListDefinition } from './queries.ts'

const common = {
  crumb: 'Service Accounts',
  needs: 'serviceAccounts',
  nav: { group: 'access', icon: KeyRound },
} as const

/** The access tokens of an account, above the list. */
const tokens = {
  '/service-accounts/$serviceAccount': [
    'Access tokens',
    lazyPage(() => import('./account-tokens.tsx'), 'AccountTokensPage'),
    ({ serviceAccount }: { serviceAccount: string }) => prefetch(accountQuery(serviceAccount)),
  ],
} as const

const { list, index } = listRoutes(projectRoute, 'service-accounts', '/service-accounts', {
  ...common,
  list: accountListDefinition,
  page: lazyPage(() => import('./service-accounts-page.tsx'), 'ServiceAccountsPage'),
})

export const accountRoutes = list.addChildren({ index, ...panelRoutes(list, tokens) })

const silo = listRoutes(siloRoute, 'service-accounts', '/service-accounts', {
  ...common,
  list: siloAccountListDefinition,
  page: lazyPage(() => import('./service-accounts-page.tsx'), 'SiloServiceAccountsPage'),
})

export const siloAccountRoutes = silo.list.addChildren({
  index: silo.index,
  ...panelRoutes(silo.list, tokens),
})

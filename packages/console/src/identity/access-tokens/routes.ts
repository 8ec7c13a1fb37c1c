import { createRoute } from '@tanstack/react-router'
import { Command, RectangleEllipsis } from 'lucide-react'
import { optional, prefetch } from '../../data/api.ts'
import { currentCapabilities } from '../../data/capabilities.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { settingsRoute } from '../../page/parent-routes.ts'
import { accessTokensQuery, authSettingsQuery, tokenDetailsQuery } from './queries.ts'

export const accessTokensRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/access-tokens',
  component: lazyPage(() => import('./access-tokens-page.tsx'), 'AccessTokensPage'),
  loader: async () => {
    const { accessTokens } = await currentCapabilities()
    const tokens = accessTokens ? tokenDetailsQuery() : accessTokensQuery()
    return prefetch(optional(tokens), optional(authSettingsQuery))
  },
  staticData: {
    nav: { icon: RectangleEllipsis, shortcut: 'goAccessTokens' },
    crumb: 'Access Tokens',
  },
})

export const commandLineRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/command-line',
  component: lazyPage(() => import('../command-line/command-line-page.tsx'), 'CommandLinePage'),
  staticData: { nav: { icon: Command }, crumb: 'Command Line' },
})

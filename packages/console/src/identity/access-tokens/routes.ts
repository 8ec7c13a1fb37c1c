import { createRoute } from '@tanstack/react-router'
import { RectangleEllipsis } from 'lucide-react'
import { optional, prefetch } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { settingsRoute } from '../../page/parent-routes.ts'
import { accessTokensQuery, authSettingsQuery } from './queries.ts'

export const accessTokensRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/access-tokens',
  component: lazyPage(() => import('./access-tokens-page.tsx'), 'AccessTokensPage'),
  loader: () => prefetch(optional(accessTokensQuery()), optional(authSettingsQuery)),
  staticData: {
    nav: { icon: RectangleEllipsis, shortcut: 'goAccessTokens' },
    crumb: 'Access Tokens',
  },
})
